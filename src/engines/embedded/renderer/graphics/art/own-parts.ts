/** Parts that the art does not have, drawn in its manner: soft gradients from the upper right, no outlines. */
import type { Role } from './art.ts';
import { ACCESSORIES } from './own-accessories.ts';

type Runs = readonly (readonly [Role | 'behind', string])[];

const CLOTH = `<defs>
<linearGradient id="c" x1="33" x2="2" y1="26" y2="40" gradientUnits="userSpaceOnUse"><stop stop-color="#d8d4e4"/><stop offset=".5" stop-color="#c2bcd0"/><stop offset="1" stop-color="#9d95ae"/></linearGradient>
<linearGradient id="d" x1="16" x2="16" y1="26" y2="36" gradientUnits="userSpaceOnUse"><stop stop-color="#a49cb6"/><stop offset="1" stop-color="#cfc9dc"/></linearGradient>
</defs>`;
const cloth = (paths: string) => `<g fill="none">${paths}</g>${CLOTH}`;
const metal = (from: string, to: string, id: string) =>
  `<linearGradient id="${id}" x1="1" x2="0" y1="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
const frame = (shapes: string, width: number, lens = '#bfe6ff', clear = 0.16) =>
  `<g fill="${lens}" fill-opacity="${clear}" stroke="#3a3346" stroke-width="${width}" stroke-linecap="round">${shapes}</g>`;

export const OWN_PARTS: Readonly<Record<string, Runs>> = {
  none: [],
  ...ACCESSORIES,
  'own:vneck': [
    ['skin', '<g fill="none"><path fill="#c98d72" d="M11.500 27h9.400l-4.700 11.500z"/></g>'],
    [
      'cloth',
      cloth(
        '<path stroke="url(#c)" stroke-width="1.300" stroke-linejoin="round" d="M10.800 27.300l5.400 11.600l5.400-11.600"/>',
      ),
    ],
  ],
  'own:sweater': [
    [
      'cloth',
      cloth(
        '<path fill="url(#c)" d="M8.200 29.800c0-3 16-3 16 0c0 4.300-3.600 6-8 6s-8-1.700-8-6"/><path fill="url(#d)" fill-opacity=".55" d="M10 29.500c0-2 12.400-2 12.400 0c0 3-2.800 4.200-6.200 4.200s-6.200-1.200-6.200-4.200"/>',
      ),
    ],
  ],
  'own:turtleneck': [
    [
      'cloth',
      cloth(
        '<path fill="url(#c)" d="M9.700 26c0-2 13-2 13 0v5.500c0 2.600-2.900 4-6.500 4s-6.500-1.400-6.500-4z"/><path fill="url(#d)" fill-opacity=".5" d="M9.700 26h13v3.600c-3.600 2-9.400 2-13 0z"/>',
      ),
    ],
  ],
  'own:hood': [
    [
      'cloth',
      cloth(
        '<path fill="url(#c)" d="M3.600 31.500C4.400 26.500 8.500 24.500 16.200 24.500s11.800 2 12.600 7c.5 3.400-5.500 7.500-12.600 7.500S3.100 34.900 3.600 31.500"/><path fill="url(#d)" d="M8 30.600c.5-2.700 3.500-4 8.200-4s7.700 1.300 8.200 4c.4 2.200-3.600 4.900-8.200 4.900S7.600 32.800 8 30.600"/>',
      ),
    ],
    [
      'keep',
      '<g stroke="#f6f3fb" stroke-width=".85" stroke-linecap="round" fill="none"><path d="M12.900 36.600c-.3 2.100-.2 4.200.1 6.400M19.500 36.600c.3 1.800.2 3.200-.1 4.900"/></g>',
    ],
  ],
  'own:kimono': [
    ['accent', cloth('<path fill="url(#c)" d="M8.400 26.500l3.600-1l8.800 19h-7z"/>')],
    ['accent', cloth('<path fill="url(#d)" d="M24 26.500l-3.600-1l-9.900 22h6.200z"/>')],
  ],
  'own:armour': [
    [
      'keep',
      `<g fill="none"><path fill="url(#a)" d="M8.600 26.600c0-2 15.200-2 15.200 0v4.200c0 2.600-3.400 4.200-7.600 4.200s-7.600-1.600-7.600-4.200z"/><path fill="url(#b)" d="M-2.700 42.500C-4 34.500-.6 29.500 5 29.800c3.600.2 5.200 3 4.300 6.700c-.8 3.300-4.300 5.600-12 6"/><path fill="url(#a)" d="M35.100 42.500c1.300-8-2.100-13-7.700-12.700c-3.600.2-5.200 3-4.300 6.700c.8 3.300 4.300 5.600 12 6"/><path stroke="#f4f7fb" stroke-opacity=".8" stroke-width=".5" stroke-linecap="round" d="M27.500 31.300c2.500-.2 4.600 1.200 5.600 3.900M11 27.800c3-.7 7.400-.7 10.400 0"/><circle cx="16.200" cy="32.700" r=".8" fill="#ffd76a"/></g><defs>${metal('#e9eef5', '#8b96a8', 'a')}${metal('#c3ccd9', '#6d788c', 'b')}</defs>`,
    ],
  ],
  'own:ruff': [
    [
      'accent',
      cloth(
        Array.from(
          { length: 9 },
          (_, i) =>
            `<ellipse fill="url(#${i % 2 ? 'c' : 'd'})" cx="${4.6 + i * 2.9}" cy="${31 + Math.sin((i / 8) * Math.PI) * 2.6}" rx="2.300" ry="3"/>`,
        ).join(''),
      ),
    ],
  ],
  'own:scarf': [
    [
      'cloth',
      cloth(
        '<path fill="url(#c)" d="M6.400 28.400c0-2.800 19.600-2.800 19.600 0c0 4.600-4.200 6.700-9.800 6.700s-9.800-2.100-9.800-6.700"/><path fill="url(#c)" d="M18.600 33l5-.8l1.700 10.300h-5.600z"/><path fill="url(#d)" fill-opacity=".6" d="M8.200 27.900c0-1.800 16-1.800 16 0c0 2.200-3.400 3.400-8 3.400s-8-1.200-8-3.400"/>',
      ),
    ],
  ],
  'own:apron': [
    [
      'accent',
      cloth(
        '<path fill="url(#c)" d="M6 35.500c3 1.600 17.400 1.600 20.400 0l2.600 20H3.400z"/><path stroke="url(#d)" stroke-width="1.300" d="M6.600 36L9.300 28M25.800 36L23.100 28"/>',
      ),
    ],
  ],
  'own:round': [
    [
      'keep',
      frame(
        '<circle cx="11.650" cy="16.900" r="4"/><circle cx="20.550" cy="16.900" r="4"/><path fill="none" d="M15.500 16.200c.4-.5.900-.5 1.300 0M7.700 16.200L5.400 15.500M24.500 16.200l2.300-.7"/>',
        0.62,
      ),
    ],
  ],
  'own:cat-eye': [
    [
      'keep',
      frame(
        '<path d="M6.500 13.600c3-.7 6.300-.5 8.600.3c.7 3.700-.9 6.600-4 6.600c-3 0-4.500-2.900-4.600-6.900M25.700 13.600c-3-.7-6.300-.5-8.600.3c-.7 3.700.9 6.600 4 6.600c3 0 4.500-2.900 4.600-6.900M15.100 14.900c.7-.4 1.300-.4 2 0"/>',
        0.75,
      ),
    ],
  ],
  'own:aviator': [
    [
      'keep',
      frame(
        '<path d="M7 14.200c2.900-1 6.300-1 8.300 0c.6 4-1 6.900-4 6.900c-3.200 0-4.600-3.200-4.300-6.900M25.200 14.200c-2.900-1-6.300-1-8.300 0c-.6 4 1 6.900 4 6.900c3.200 0 4.600-3.200 4.300-6.900M15.300 14.300h1.600M15 13.300h2.200"/>',
        0.5,
        '#3d3a4a',
        0.8,
      ),
    ],
  ],
  'own:patch': [
    [
      'keep',
      '<g fill="#2b2630"><path stroke="#2b2630" stroke-width=".7" fill="none" d="M6 11.500L26.300 14.300"/><path d="M17.200 14.700c2.300-1 4.700-1 7 0c.3 3.700-1.100 6.100-3.500 6.100s-3.800-2.400-3.500-6.100"/><path fill="#5a5363" fill-opacity=".5" d="M18.200 15.200c1.900-.7 3.800-.7 5.500 0c.1 1-.1 1.500-.3 2.200c-1.500-1-3.500-1.200-5.100-.6z"/></g>',
    ],
  ],
  'own:monocle': [
    [
      'keep',
      '<g fill="#cdeaff" fill-opacity=".22" stroke="#d9a93a" stroke-width=".62"><circle cx="20.550" cy="16.900" r="4"/><path fill="none" stroke-width=".35" d="M24.300 18.300c1.600 3.600 1.500 8-.2 12.500"/></g>',
    ],
  ],
  'own:flowers': [
    [
      'keep',
      `<g>${[
        [-9, 0.2],
        [-5, -2.6],
        [0, -3.6],
        [5, -2.6],
        [9, 0.2],
      ]
        .map(
          ([x, y], i) =>
            `<g transform="translate(${16.1 + (x as number)} ${8 + (y as number)})">${[0, 72, 144, 216, 288].map((turn) => `<ellipse cx="0" cy="-1.500" rx="1.250" ry="1.600" transform="rotate(${turn})" fill="${['#ff8fc7', '#ffd257', '#ffffff', '#b79bff', '#ff9d7a'][i]}"/>`).join('')}<circle r="1.050" fill="${i === 1 ? '#e8742c' : '#ffb72e'}"/></g>`,
        )
        .join('')}</g>`,
    ],
  ],
  'own:earrings': [
    [
      'keep',
      `<g fill="url(#g)"><circle cx="5.600" cy="22" r="1.150"/><circle cx="26.600" cy="22" r="1.150"/></g><defs><radialGradient id="g" cx=".65" cy=".3" r=".8"><stop stop-color="#fff3b0"/><stop offset="1" stop-color="#d9962f"/></radialGradient></defs>`,
    ],
  ],
  'own:headphones': [
    [
      'cloth',
      cloth(
        '<path stroke="url(#c)" stroke-width="1.900" stroke-linecap="round" d="M4 17C3 -2.500 29.200 -2.500 28.200 17"/><rect fill="url(#c)" x="1.300" y="13.200" width="5.200" height="9.800" rx="2.500"/><rect fill="url(#c)" x="25.700" y="13.200" width="5.200" height="9.800" rx="2.500"/><rect fill="url(#d)" x="5.200" y="14.400" width="2" height="7.400" rx="1"/><rect fill="url(#d)" x="25" y="14.400" width="2" height="7.400" rx="1"/>',
      ),
    ],
  ],
  'beard:stubble': [
    [
      'hair',
      '<g fill="#c98f72" fill-opacity=".34"><path d="M6.500 17.500c.3 4.200.6 8.300 1.300 10.100c.6 1.500 1.900 2.300 3.600 2.400h9.400c1.700-.1 3-.9 3.600-2.400c.7-1.800 1-5.900 1.300-10.100c-1.400 3.200-3 4.300-9.600 4.300s-8.200-1.100-9.600-4.300"/></g>',
    ],
  ],
  'beard:goatee': [
    [
      'hair',
      '<g fill="#c98f72"><path d="M12.700 26.400c2.200 1 4.600 1 6.800 0c.5 1.800-.2 4.300-3.400 5.200c-3.200-.9-3.900-3.400-3.400-5.200"/></g>',
    ],
  ],
  'own:halo': [
    [
      'keep',
      '<g fill="none"><ellipse cx="16.100" cy="-1.600" rx="8" ry="2.300" stroke="#ffcf4a" stroke-width="1.500"/><ellipse cx="16.100" cy="-1.900" rx="8" ry="2.300" stroke="#fff2b8" stroke-width=".45"/></g>',
    ],
  ],
  'own:third-eye': [
    [
      'keep',
      '<g><path fill="#fff" d="M12.900 11.600c.6-2.200 5.800-2.200 6.400 0c-.9 1.700-5.500 1.700-6.400 0"/><circle cx="16.100" cy="11.200" r="1.350" fill="#5b3a8c"/><circle cx="16.100" cy="11.200" r=".75" fill="#14101c"/><circle cx="15.600" cy="10.700" r=".35" fill="#fff" fill-opacity=".85"/></g>',
    ],
  ],
  'own:horns': [
    [
      'keep',
      `<g fill="url(#k)"><path d="M6.300 8.500C3.800 5.500 3.300 1.500 4.600-1.700c.2-.6 1-.6 1.200 0C7 1.700 8.600 3.800 11.100 5.200z"/><path d="M25.900 8.500c2.500-3 3-7 1.700-10.200c-.2-.6-1-.6-1.200 0c-1.200 3.400-2.800 5.500-5.300 6.900z"/></g><defs>${metal('#ffe9b8', '#b9793f', 'k')}</defs>`,
    ],
  ],
  'own:scales': [
    [
      'keep',
      '<g fill="#3fd1b5" fill-opacity=".55"><circle cx="8.600" cy="20.600" r=".8"/><circle cx="10" cy="21.500" r=".7"/><circle cx="8.800" cy="22.300" r=".6"/><circle cx="23.600" cy="20.600" r=".8"/><circle cx="22.200" cy="21.500" r=".7"/><circle cx="23.400" cy="22.300" r=".6"/></g>',
    ],
  ],
  'own:shell': [
    [
      'keep',
      '<g transform="translate(24.500 7.500) rotate(24)"><path fill="#ff9fb8" d="M0 3.200L-3.400-1c-.5-2.300 1-3.400 1.900-2.700c.3-1.400 2.700-1.400 3 0c.9-.7 2.400.4 1.900 2.700z"/><path stroke="#fff" stroke-opacity=".75" stroke-width=".4" fill="none" d="M0 2.600V-3.600M-.4 2.300L-2-2.900M.4 2.300L2-2.900"/></g>',
    ],
  ],
  'own:cowl': [
    [
      'cloth',
      cloth(
        '<path fill="url(#c)" fill-rule="evenodd" d="M16.100 .4c8.900 0 13.400 5.600 13.400 14.300c0 6.700-1.300 12.500-3.300 16.600c-3 2.200-17.200 2.200-20.200 0C4 27.200 2.700 21.400 2.700 14.700C2.700 6 7.200 .4 16.100 .4M7.300 12.800c-.4 5.800.4 10.900 2 13.600c1.700 2.300 11.900 2.300 13.600 0c1.600-2.700 2.400-7.800 2-13.600c-4.600-1.300-13-1.300-17.600 0"/><path fill="url(#d)" fill-opacity=".55" d="M6.600 11.200c5-1.500 14-1.500 19 0l.1 2.900c-5.200-1.500-14-1.500-19.200 0z"/><path fill="url(#c)" d="M7.400 27.600c4.600 1.800 12.800 1.800 17.400 0l1.400 3.600c-4.400 3.300-15.800 3.300-20.200 0z"/>',
      ),
    ],
  ],
  'own:nemes': [
    [
      'behind',
      `<g fill="#2458a8"><path d="M4.300 8C1.500 14 .2 22-2.600 33.500c-.3 1.300.5 2.200 1.800 2.200H33c1.300 0 2.100-.9 1.800-2.200C32 22 30.700 14 27.900 8z"/>${[12, 16, 20, 24, 28, 32].map((y) => `<path fill="#f2c14a" d="M${4 - (y - 8) * 0.27} ${y}H${28.2 + (y - 8) * 0.27}l.4 1.700H${3.6 - (y - 8) * 0.27}z"/>`).join('')}</g>`,
    ],
    [
      'keep',
      `<g fill="none"><path fill="#2458a8" d="M3.900 12.800C3.200 4.600 8.200.2 16.100.2S29 4.600 28.300 12.800c-5.600-2.900-18.800-2.900-24.400 0"/>${[4.2, 7.6].map((y, i) => `<path stroke="#f2c14a" stroke-width="1.500" d="M${7.2 - i * 2.1} ${y}c4.600-2.500 13.200-2.500 ${17.8 + i * 4.2} 0"/>`).join('')}<path fill="url(#n)" d="M3.800 11.200c5.600-3 19-3 24.600 0l.1 2.500c-5.600-2.900-19.200-2.900-24.800 0z"/><path fill="url(#n)" d="M14.600 10.600c-1-2.600-.9-5.600 1.500-7.200c2.400 1.600 2.500 4.600 1.500 7.200z"/><circle cx="16.100" cy="5.900" r=".75" fill="#c8372f"/></g><defs>${metal('#ffe08a', '#cf9328', 'n')}</defs>`,
    ],
  ],
  'own:wig': [
    [
      'keep',
      `<g><path fill="url(#w)" d="M4.600 16.500C2.800 6.500 7.600 1.600 16.100 1.600S29.400 6.500 27.600 16.500c-.8.600-1.800.4-2.300-.5c-.3-3.900-1.600-6.100-3.500-6.900c-2.400.7-9 .7-11.400 0c-1.900.8-3.200 3-3.500 6.900c-.5.900-1.500 1.100-2.300.5"/>${[14.6, 18.3, 22, 25.7].flatMap((y) => [4.3, 27.9].map((x) => `<rect x="${x - 2.9}" y="${y}" width="5.800" height="3.900" rx="1.950" fill="url(#w)"/><path d="M${x - 1.6} ${y + 2.6}c1 .5 2.200.5 3.200 0" stroke="#b9b4c6" stroke-width=".4" stroke-linecap="round" fill="none"/>`)).join('')}${[4.3, 6.9].map((y, i) => `<path d="M${9.4 - i * 1.6} ${y + 1.2}c3.600-2.100 9.800-2.100 ${13.4 + i * 3.2} 0" stroke="#c3bed0" stroke-width=".55" stroke-linecap="round" fill="none"/>`).join('')}</g><defs>${metal('#ffffff', '#cfcadb', 'w')}</defs>`,
    ],
  ],
  'own:tusks': [
    [
      'keep',
      '<g fill="#f7f0dc" stroke="#b9a988" stroke-width=".15"><path d="M12.600 25.200c-.5-1-.5-2.100-.2-3.100c.8.800 1.300 1.800 1.400 3z"/><path d="M19.600 25.200c.5-1 .5-2.100.2-3.100c-.8.800-1.300 1.800-1.400 3z"/></g>',
    ],
  ],
  'own:tears': [
    [
      'keep',
      '<g fill="#7cc8ff" fill-opacity=".85"><path d="M9.300 20.400c1 1.500 1.500 2.500 1.500 3.200a1.500 1.500 0 0 1-3 0c0-.7.500-1.700 1.500-3.200"/><path d="M23.300 20.900c.7 1 1 1.700 1 2.200a1 1 0 0 1-2 0c0-.5.300-1.200 1-2.200"/><circle cx="8.900" cy="23.300" r=".4" fill="#fff" fill-opacity=".8"/></g>',
    ],
  ],
};
