/**
 * What a portrait shows: every trait is decided here as data, by reading the text or by drawing from the seed, before
 * anything is painted. This file holds the types and the numbers of a face; it reads and draws nothing.
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
export type Glasses = 'none' | 'round' | 'square' | 'cat' | 'aviator' | 'sun' | 'patch';
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
  | 'flowers';
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
  | 'jacket';
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
export type Species = 'human' | 'robot' | 'elf' | 'alien' | 'clown';

/** What makes one face unlike another, each -1..1 round the average of its gender and age. */
export interface FaceFeatures {
  width: number;
  length: number;
  jaw: number;
  chin: number;
  cheek: number;
  eyeGap: number;
  eyeSize: number;
  eyeOpen: number;
  eyeTilt: number;
  /** -1 monolid .. 1 deep-set crease. */
  crease: number;
  browThick: number;
  browArch: number;
  browHeight: number;
  noseWidth: number;
  noseLength: number;
  noseTip: number;
  mouthWidth: number;
  upperLip: number;
  lowerLip: number;
  ears: number;
  neck: number;
  hairline: number;
}

export interface PersonTraits {
  gender: Gender;
  age: Age;
  species: Species;
  /** '#rrggbb' of lit skin. */
  skin: string;
  hair: { style: HairStyle; colour: string; fringe: boolean /** -1..1, where the parting is. */; part: number };
  beard: Beard;
  glasses: Glasses;
  hat: Hat;
  hatColour: string;
  eyes: string;
  makeup: boolean;
  lipstick?: string;
  freckles: boolean;
  earrings: boolean;
  clothes: Clothes;
  clothesColour: string;
  /** Tie, trim, shirt under a coat. */
  accentColour: string;
  stethoscope: boolean;
  mood: Mood;
  background: Background;
  backgroundColour: string;
  features: FaceFeatures;
}
