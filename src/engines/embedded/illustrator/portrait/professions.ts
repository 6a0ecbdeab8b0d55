/** What a calling suggests of looks. Suggestions only: whatever the text says itself goes first. */
import type { PersonTraits } from './traits.ts';

export interface Suggestion {
  words: string;
  hat?: PersonTraits['hat'];
  hatColour?: string;
  clothes?: PersonTraits['clothes'];
  clothesColour?: string;
  accentColour?: string;
  background?: PersonTraits['background'];
  beard?: PersonTraits['beard'];
  glasses?: PersonTraits['glasses'];
  age?: PersonTraits['age'];
  mood?: PersonTraits['mood'];
  style?: PersonTraits['hair']['style'];
  stethoscope?: boolean;
}

export const PROFESSIONS: readonly Suggestion[] = [
  {
    words: 'wizard sorcerer mage warlock merlin gandalf',
    hat: 'wizard',
    hatColour: '#4a2f86',
    clothes: 'robe',
    clothesColour: '#43307c',
    accentColour: '#c99a3a',
    background: 'night',
    beard: 'long',
    age: 'old',
  },
  {
    words: 'witch sorceress',
    hat: 'wizard',
    hatColour: '#262230',
    clothes: 'robe',
    clothesColour: '#2c2638',
    accentColour: '#7a4cb8',
    background: 'night',
    style: 'wavy',
  },
  {
    words: 'teacher professor tutor lecturer',
    clothes: 'jacket',
    accentColour: '#dfe4ea',
    background: 'library',
    glasses: 'round',
    mood: 'smile',
  },
  {
    words: 'librarian scholar writer author poet historian philosopher',
    clothes: 'sweater',
    background: 'library',
    glasses: 'round',
  },
  {
    words: 'doctor physician surgeon',
    clothes: 'labcoat',
    clothesColour: '#7fa8cc',
    background: 'office',
    stethoscope: true,
    mood: 'smile',
  },
  {
    words: 'nurse',
    clothes: 'vneck',
    clothesColour: '#3f8f96',
    background: 'office',
    stethoscope: true,
    mood: 'smile',
  },
  {
    words: 'scientist chemist physicist biologist researcher',
    clothes: 'labcoat',
    clothesColour: '#4a6488',
    background: 'office',
    glasses: 'square',
  },
  {
    words: 'chef cook baker',
    hat: 'chef',
    clothes: 'chef',
    accentColour: '#26242a',
    background: 'kitchen',
    mood: 'smile',
  },
  {
    words: 'pirate buccaneer',
    hat: 'pirate',
    hatColour: '#2a2024',
    clothes: 'jacket',
    clothesColour: '#6e1c26',
    accentColour: '#e6dcc6',
    background: 'sea',
    beard: 'full',
    glasses: 'patch',
  },
  {
    words: 'captain sailor',
    clothes: 'jacket',
    clothesColour: '#20305c',
    accentColour: '#eef0f2',
    background: 'sea',
    hat: 'cap',
    hatColour: '#20305c',
  },
  {
    words: 'knight warrior paladin soldier viking',
    clothes: 'armour',
    accentColour: '#b8302c',
    background: 'outdoors',
    mood: 'serious',
  },
  { words: 'knight', hat: 'helmet' },
  { words: 'viking', beard: 'full', style: 'braids' },
  {
    words: 'astronaut cosmonaut spaceman',
    hat: 'space',
    clothes: 'spacesuit',
    accentColour: '#d97a28',
    background: 'space',
  },
  {
    words: 'king emperor',
    hat: 'crown',
    clothes: 'robe',
    clothesColour: '#8a1f2c',
    accentColour: '#e8dcc0',
    background: 'warm',
    beard: 'full',
    age: 'middle',
  },
  {
    words: 'queen empress',
    hat: 'crown',
    clothes: 'robe',
    clothesColour: '#5a2a78',
    accentColour: '#e8dcc0',
    background: 'warm',
  },
  { words: 'princess', hat: 'crown', clothes: 'dress', clothesColour: '#e07aa6', background: 'warm', style: 'wavy' },
  { words: 'prince', hat: 'crown', clothes: 'robe', clothesColour: '#2f5fb4', background: 'warm' },
  {
    words: 'cowboy cowgirl rancher sheriff',
    hat: 'cowboy',
    hatColour: '#8a5c34',
    clothes: 'shirt',
    clothesColour: '#9c3f34',
    background: 'outdoors',
  },
  {
    words: 'engineer builder construction worker foreman',
    hat: 'hardhat',
    hatColour: '#e8b62c',
    clothes: 'shirt',
    clothesColour: '#4a6f9c',
    background: 'city',
  },
  {
    words: 'lawyer banker executive ceo manager politician president consultant accountant broker agent',
    clothes: 'suit',
    background: 'office',
  },
  {
    words: 'programmer developer coder hacker gamer streamer',
    clothes: 'hoodie',
    background: 'night',
    glasses: 'square',
  },
  { words: 'gamer streamer dj producer podcaster', hat: 'headphones', hatColour: '#2c2f38' },
  {
    words: 'santa',
    hat: 'santa',
    clothes: 'robe',
    clothesColour: '#b8242c',
    accentColour: '#f4f2ee',
    background: 'warm',
    beard: 'long',
    age: 'old',
    mood: 'cheerful',
  },
  { words: 'artist painter', hat: 'beret', hatColour: '#7c2438', clothes: 'sweater', background: 'warm' },
  { words: 'singer musician dancer actor actress model', background: 'night', mood: 'smile' },
  { words: 'gardener farmer hiker ranger', clothes: 'shirt', clothesColour: '#5a7a44', background: 'outdoors' },
  {
    words: 'samurai geisha',
    clothes: 'kimono',
    clothesColour: '#24304c',
    accentColour: '#c8443c',
    background: 'outdoors',
    style: 'bun',
  },
  { words: 'butler magician gentleman', clothes: 'suit', clothesColour: '#26242a', accentColour: '#6e1c26' },
  { words: 'magician', hat: 'tophat', hatColour: '#26242a' },
  {
    words: 'lumberjack',
    beard: 'full',
    clothes: 'shirt',
    clothesColour: '#a03028',
    background: 'outdoors',
    hat: 'beanie',
    hatColour: '#3c4048',
  },
  { words: 'hipster barista', beard: 'full', hat: 'beanie', glasses: 'round', background: 'kitchen' },
  { words: 'student', clothes: 'hoodie', background: 'library' },
  { words: 'coach trainer athlete', clothes: 'tshirt', background: 'outdoors', mood: 'cheerful' },
  {
    words: 'detective spy',
    clothes: 'jacket',
    clothesColour: '#8c7650',
    accentColour: '#e8e8ea',
    background: 'night',
    mood: 'serious',
  },
  { words: 'robot android', background: 'space', clothes: 'armour', mood: 'neutral' },
  { words: 'elf elven fairy', clothes: 'robe', clothesColour: '#2c6e4a', background: 'outdoors', style: 'straight' },
];
