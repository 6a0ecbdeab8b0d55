/**
 * What a portrait shows: every trait is decided here as data, by reading the text or by drawing from the seed, before
 * anything is painted. This file holds the types; it reads and draws nothing.
 */
export type Gender = 'female' | 'male';
/** Ages under 13, under 25, under 42, under 62, and above. */
export type Age = 'child' | 'young' | 'adult' | 'middle' | 'old';
/** How hair is worn. */
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
  | 'pigtails'
  | 'buns'
  | 'mohawk';
/** Length of the hair, from bald to long. */
export type Beard = 'none' | 'stubble' | 'moustache' | 'goatee' | 'short' | 'full' | 'long';
/** What is worn before the eyes; `none` for nothing. */
export type Glasses = 'none' | 'round' | 'square' | 'cat' | 'aviator' | 'sun' | 'patch' | 'monocle' | 'goggles';
/** What is worn on the head; `none` for nothing. */
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
  | 'shell'
  | 'wig'
  | 'cowl'
  | 'nemes'
  | 'sombrero'
  | 'horned'
  | 'skullcap';
/** What is seen of clothes above the chest. */
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
/** What is worn besides clothes, hat and glasses, and marks of the skin. */
export type Extra =
  | 'hair-flower'
  | 'hair-bow'
  | 'bow-tie'
  | 'collar'
  | 'chain'
  | 'necklace'
  | 'scarf'
  | 'whistle'
  | 'vitiligo'
  | 'bindi'
  | 'nose-ring'
  | 'scar'
  | 'mole'
  | 'pipe'
  | 'animal-ears'
  | 'bunny-ears';
/** How the face looks at rest. */
export type Mood = 'neutral' | 'smile' | 'cheerful' | 'serious' | 'sad' | 'angry';
/** What is behind the person. */
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
/** Human, or what else speaks like one. */
export type Species = 'human' | 'robot' | 'elf' | 'alien' | 'clown' | 'vampire' | 'mermaid' | 'demon' | 'ghost';

/** One person, wholly decided. Colours are '#rrggbb'; `...Said` is true where the text or a calling names it. */
export interface PersonTraits {
  gender: Gender;
  age: Age;
  species: Species;
  /** '#rrggbb' of lit skin. */
  skin: string;
  /** In all colours, where it is a rainbow's. */
  hair: { style: HairStyle; colour: string; isRainbow?: true };
  beard: Beard;
  glasses: Glasses;
  hat: Hat;
  hatColour: string;
  hatSaid: boolean;
  eyes: string;
  /** Of the eye at the right as it is seen, where both differ. */
  eyeAtRight?: string;
  extras: Extra[];
  /** Of bows, collars, scarves and flowers; absent: their own. */
  extraColour?: string;
  makeup: boolean;
  lipstick?: string;
  freckles: boolean;
  earrings: boolean;
  clothes: Clothes;
  clothesColour: string;
  /** Whether the text or a calling names their colour: a uniform keeps its own else. */
  clothesSaid: boolean;
  /** Second colour of the clothes: of a tie, a trim, or the shirt under a coat. */
  accentColour: string;
  stethoscope: boolean;
  mask: 'none' | 'hero' | 'villain';
  /** Absent: its own. */
  maskColour?: string;
  thirdEye: boolean;
  tusks: boolean;
  tears: boolean;
  mood: Mood;
  background: Background;
  backgroundColour: string;
  backgroundSaid: boolean;
}
