/** What is worn besides clothes, hats and glasses, and marks of a skin, drawn in the manner of the art. Units of the art. */
import type { Role } from './art.ts';

type Runs = readonly (readonly [Role | 'behind', string])[];

const shades = (light: string, middle: string, dark: string, id = 'o') =>
  `<linearGradient id="${id}" x1="26" x2="6" y1="0" y2="34" gradientUnits="userSpaceOnUse"><stop stop-color="${light}"/><stop offset=".5" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;
/** In the grey that is tinted with the colour that is named. */
const tintable = (paths: string) =>
  `<g fill="none">${paths}</g><defs>${shades('#d8d4e4', '#c2bcd0', '#9d95ae')}</defs>`;
const GOLD = shades('#fff0a6', '#e9b840', '#b97b1e', 'gold');
const STEEL = shades('#e6ebf2', '#aab4c2', '#737f90', 'steel');

const PETALS = [0, 72, 144, 216, 288]
  .map((turn) => `<ellipse fill="url(#o)" cx="0" cy="-2.150" rx="1.750" ry="2.250" transform="rotate(${turn})"/>`)
  .join('');
const BOW =
  '<path fill="url(#o)" d="M0 0L-4.800-2.700c-.7-.4-1.400.1-1.400.9v4.200c0 .8.7 1.300 1.400.9L0 .6l4.800 2.700c.7.4 1.400-.1 1.400-.9v-4.200c0-.8-.7-1.300-1.400-.9z"/><circle fill="#847c96" fill-opacity=".55" r="1.500"/><circle fill="url(#o)" r="1.250"/>';

export const ACCESSORIES: Readonly<Record<string, Runs>> = {
  'own:hair-flower': [
    ['cloth', tintable(`<g transform="translate(25 9)">${PETALS}</g>`)],
    ['keep', '<circle cx="25" cy="9" r="1.350" fill="#ffd257"/>'],
  ],
  'own:hair-bow': [['cloth', tintable(`<g transform="translate(22.600 4.800) rotate(20)">${BOW}</g>`)]],
  'own:bow-tie': [['cloth', tintable(`<g transform="translate(16.200 32.600) scale(.95)">${BOW}</g>`)]],
  'own:collar': [
    [
      'cloth',
      tintable('<path fill="url(#o)" d="M7.400 28.200c1.600 3.600 16 3.600 17.600 0v2.800c-1.600 4-16 4-17.600 0z"/>'),
    ],
    [
      'keep',
      `<circle cx="16.200" cy="35" r="1.900" fill="url(#gold)"/><circle cx="16.200" cy="33.200" r=".5" fill="#8a5a1c"/><defs>${GOLD}</defs>`,
    ],
  ],
  'own:chain': [
    [
      'keep',
      `<g fill="none"><path stroke="url(#gold)" stroke-width="1.350" stroke-linecap="round" stroke-dasharray=".1 1.550" d="M7.600 30.500c1.600 10.800 15.600 10.800 17.200 0"/><circle cx="16.200" cy="39.400" r="2.100" fill="url(#gold)"/><circle cx="16.200" cy="39.400" r="1.100" fill="#b97b1e" fill-opacity=".5"/></g><defs>${GOLD}</defs>`,
    ],
  ],
  'own:whistle': [
    [
      'keep',
      `<g fill="none"><path stroke="#2f6fd0" stroke-width=".7" d="M9 29.500l6.600 9.500M23.400 29.500l-6.600 9.500"/><path fill="url(#steel)" d="M13 39.200h6.200c1.800 0 3 1.200 3 2.700s-1.200 2.700-2.900 2.700c-1.500 0-2.500-.8-2.900-2.200H13z"/><circle cx="19.300" cy="41.900" r=".9" fill="#3a4148"/></g><defs>${STEEL}</defs>`,
    ],
  ],
  'own:vitiligo': [
    [
      'keep',
      '<g fill="#f7e0cf" fill-opacity=".88"><path d="M7 12.500c2-1.600 5-1.800 6.600-.2 1.400 1.500.6 3-.4 4.200-.5 1.600 1 2.600.2 4.200-1 1.900-3.600 1.700-5 .5-1.700-1.500-2.600-6.700-1.400-8.700"/><path d="M17.600 21.800c1.800-.9 3.900-.2 4.400 1.500.6 1.900 1.600 2.800.6 4.300-1.300 1.700-4.200 1.600-5.600.3-1.600-1.500-1.100-5.200.6-6.100"/><path d="M20 9.600c1.400-.9 3.400-.5 4.200.7.6 1.200-.5 2.200-1.900 2.100-1.600-.1-3.500-1.800-2.300-2.800"/></g>',
    ],
  ],
  'own:pipe': [
    [
      'keep',
      '<g fill="none"><path stroke="#3a2418" stroke-width="1.100" stroke-linecap="round" d="M18.600 24.900l4.400 1.100c1.200.3 1.900 1 2.200 2.200"/><path fill="#7a4a26" d="M22.900 25.600h5.400c.3 3-.5 5.300-2.700 5.300s-3-2.300-2.700-5.300z"/><path fill="#5d3519" d="M26.400 25.600h1.900c.3 3-.5 5.300-2.700 5.300 1-1 1.100-3 .8-5.300z"/><ellipse cx="25.600" cy="25.600" rx="2.700" ry=".8" fill="#2b1a10"/><path stroke="#dfe3ea" stroke-opacity=".7" stroke-width=".8" stroke-linecap="round" d="M25.600 23.600c-1-1.400 1-2.400 0-3.900"/></g>',
    ],
  ],
  'own:animal-ears': [
    [
      'cloth',
      tintable(
        '<path fill="url(#o)" d="M5 8.500C3.600 3 3.600-1.600 5.400-4.200c3 .6 6.400 3.200 8 6.400zM27.200 8.500C28.600 3 28.600-1.600 26.800-4.200c-3 .6-6.400 3.200-8 6.400z"/>',
      ),
    ],
    [
      'keep',
      '<path fill="#f6b8c6" d="M6.600 4.600C6 1.800 6-.4 6.600-2c1.800.6 3.400 1.900 4.400 3.600zM25.600 4.600c.6-2.800.6-5 0-6.600-1.800.6-3.400 1.900-4.400 3.600z"/>',
    ],
  ],
  'own:bunny-ears': [
    [
      'cloth',
      tintable(
        '<path transform="translate(0 2) scale(1 .62)" fill="url(#o)" d="M9 4.500C6.400-2 6.400-9 8.600-10.600c2.400-.8 5 6.600 5.200 13.600zM23.200 4.500c2.600-6.500 2.600-13.500.4-15.100-2.400-.8-5 6.600-5.200 13.600z"/>',
      ),
    ],
    [
      'keep',
      '<path transform="translate(0 2) scale(1 .62)" fill="#f6b8c6" d="M10 2C8.600-2.600 8.400-7 9.200-8.200c1.400.6 2.800 5.200 3 9.600zM22.200 2c1.400-4.600 1.600-9 .8-10.200-1.400.6-2.800 5.200-3 9.600z"/>',
    ],
  ],
  'own:bindi': [['keep', '<circle cx="16.100" cy="12.600" r=".85" fill="#c01f36"/>']],
  'own:nose-ring': [
    [
      'keep',
      `<path stroke="url(#gold)" stroke-width=".45" fill="none" d="M17 21.300c1.700-.3 1.900 1.700.5 1.900"/><circle cx="17.600" cy="23.150" r=".32" fill="#fff0a6"/><defs>${GOLD}</defs>`,
    ],
  ],
  'own:scar': [
    [
      'keep',
      '<g fill="none" stroke="#a8484a" stroke-opacity=".75" stroke-width=".5" stroke-linecap="round"><path d="M22.800 11.600l1.400 10.200"/><path d="M22.300 13.800l1.900-.3M22.700 16.200l1.900-.3M23 18.600l1.900-.3M23.300 20.800l1.700-.3" stroke-width=".35"/></g>',
    ],
  ],
  'own:mole': [['keep', '<circle cx="20.800" cy="22.700" r=".42" fill="#3a241c"/>']],
  'own:skullcap': [
    [
      'cloth',
      tintable(
        '<path fill="url(#o)" d="M7.600 5.600C9.200.8 12.400-1.200 16.100-1.200s6.900 2 8.500 6.800c-4.800-2-12.200-2-17 0"/>',
      ),
    ],
  ],
  'own:sombrero': [
    [
      'cloth',
      tintable(
        '<path fill="url(#o)" d="M-7 7.200c4-4 12-4.600 15-4.600 1-7 4.400-9.800 8.100-9.800s7.100 2.800 8.100 9.800c3 0 11 .6 15 4.600 1.200 1.300.4 2.900-1.500 3C31 8.700 24 8.100 16.100 8.100S1.200 8.700-5.500 10.200c-1.900-.1-2.700-1.700-1.500-3"/>',
      ),
    ],
    [
      'keep',
      '<path fill="none" stroke="#c2382f" stroke-width="1.500" d="M8.200 2.700c4.600-1 11.200-1 15.800 0"/><path fill="none" stroke="#f6e7b8" stroke-width=".6" stroke-dasharray=".9 .9" d="M-5 8.600C2 6.600 9 6 16.100 6s14.100.6 21.100 2.600"/>',
    ],
  ],
  'own:horned-helmet': [
    [
      'keep',
      `<g fill="none"><path fill="#f3e8cf" d="M4.800 8.500C1.200 8.800-2.200 6-2.800 1.600c-.4-2.800 0-5.400.9-7.800.3-.8 1.300-.6 1.400.2.500 4.400 3 7.200 7.700 8.200zM27.400 8.500c3.600.3 7-2.500 7.600-6.900.4-2.800 0-5.400-.9-7.800-.3-.8-1.300-.6-1.400.2-.5 4.400-3 7.200-7.700 8.200z"/><path fill="url(#steel)" d="M3.700 11.400C3.400 3.400 8.400-1 16.100-1s12.700 4.400 12.400 12.400c-6-2.400-18.800-2.400-24.800 0"/><path fill="url(#gold)" d="M3.600 9.400c6.400-2.600 18.600-2.600 25 0l.2 2.900c-6.400-2.500-19-2.500-25.400 0z"/><path fill="url(#gold)" d="M15-1.200h2.200V8.400H15z"/><circle cx="7.600" cy="9.700" r=".6" fill="#7a5216"/><circle cx="12" cy="9" r=".6" fill="#7a5216"/><circle cx="20.200" cy="9" r=".6" fill="#7a5216"/><circle cx="24.600" cy="9.700" r=".6" fill="#7a5216"/></g><defs>${STEEL}${GOLD}</defs>`,
    ],
  ],
  'own:square': [
    [
      'keep',
      '<g fill="#bfe6ff" fill-opacity=".16" stroke="#3a3346" stroke-width=".8" stroke-linejoin="round"><rect x="7.500" y="13.500" width="8" height="6.600" rx="1.500"/><rect x="16.700" y="13.500" width="8" height="6.600" rx="1.500"/><path fill="none" d="M15.500 15.800c.4-.4.800-.4 1.200 0M7.500 15.300L5.400 14.700M24.700 15.300l2.100-.6"/></g>',
    ],
  ],
};
