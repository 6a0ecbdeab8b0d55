/**
 * What a portrait shows: every trait is decided here as data, by reading the text or by drawing from the seed, before
 * anything is painted. This file holds the types; it reads and draws nothing.
 */
export type Gender = 'female' | 'male';
export type Age = 'child' | 'young' | 'adult' | 'middle' | 'old';
export type HairStyle =
  | 'bald'
  | 'balding'
  | 'buzz'
  | 'short'
  | 'quiff'
  | 'pixie'
  | 'bob'
  | 'wavy'
  | 'straight'
  | 'curly'
  | 'afro'
  | 'ponytail'
  | 'bun'
  | 'braids'
  | 'mohawk';
export type Beard = 'none' | 'stubble' | 'moustache' | 'goatee' | 'short' | 'full' | 'long';
export type Glasses = 'none' | 'round' | 'square' | 'cat' | 'aviator' | 'sun' | 'patch' | 'monocle' | 'goggles';
export type Hat =
  | 'none'
  | 'wizard'
  | 'cap'
  | 'beanie'
  | 'crown'
  | 'tophat'
  | 'cowboy'
  | 'chef'
  | 'hardhat'
  | 'helmet'
  | 'space'
  | 'pirate'
  | 'beret'
  | 'hijab'
  | 'turban'
  | 'santa'
  | 'headphones'
  | 'flowers'
  | 'police'
  | 'pilot'
  | 'fedora'
  | 'straw'
  | 'graduation'
  | 'bearskin'
  | 'firefighter'
  | 'tiara'
  | 'halo'
  | 'circlet'
  | 'horns'
  | 'shell';
export type Clothes =
  | 'tshirt'
  | 'vneck'
  | 'shirt'
  | 'suit'
  | 'hoodie'
  | 'sweater'
  | 'turtleneck'
  | 'dress'
  | 'labcoat'
  | 'robe'
  | 'armour'
  | 'kimono'
  | 'chef'
  | 'spacesuit'
  | 'ruff'
  | 'jacket'
  | 'police'
  | 'pilot'
  | 'vest'
  | 'overalls'
  | 'mechanic'
  | 'firefighter'
  | 'gown'
  | 'judge'
  | 'hero'
  | 'villain'
  | 'vampire'
  | 'ninja'
  | 'prince'
  | 'princess'
  | 'tunic'
  | 'singer'
  | 'guard'
  | 'smock'
  | 'tuxedo'
  | 'changshan';
export type Mood = 'neutral' | 'smile' | 'cheerful' | 'serious' | 'sad' | 'angry';
export type Background =
  | 'studio'
  | 'bokeh'
  | 'warm'
  | 'night'
  | 'office'
  | 'outdoors'
  | 'sea'
  | 'city'
  | 'library'
  | 'space'
  | 'kitchen';
export type Species = 'human' | 'robot' | 'elf' | 'alien' | 'clown' | 'vampire' | 'mermaid' | 'demon' | 'ghost';

export interface PersonTraits {
  gender: Gender;
  age: Age;
  species: Species;
  /** '#rrggbb' of lit skin. */
  skin: string;
  hair: { style: HairStyle; colour: string };
  beard: Beard;
  glasses: Glasses;
  hat: Hat;
  hatColour: string;
  hatSaid: boolean;
  eyes: string;
  makeup: boolean;
  lipstick?: string;
  freckles: boolean;
  earrings: boolean;
  clothes: Clothes;
  clothesColour: string;
  /** Whether the text or a calling names their colour: a uniform keeps its own else. */
  clothesSaid: boolean;
  /** Tie, trim, shirt under a coat. */
  accentColour: string;
  stethoscope: boolean;
  mask: 'none' | 'hero' | 'villain';
  thirdEye: boolean;
  mood: Mood;
  background: Background;
  backgroundColour: string;
  backgroundSaid: boolean;
}
