/**
 * Heads of animals that the art has from the side alone, drawn from the front in its manner: soft gradients from the upper
 * right, no outlines. In the box of 32 units, without eyes and mouth, which are painted where `beasts.ts` says.
 */

const gradient = (id: string, light: string, dark: string) =>
  `<linearGradient id="${id}" x1="24" x2="9" y1="3" y2="31" gradientUnits="userSpaceOnUse"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;
const svg = (shapes: string, ...gradients: string[]) =>
  `<g fill="none">${shapes}</g><defs>${gradients.join('')}</defs>`;
/** A shape and the same seen in the mirror. */
const both = (shape: string) => `${shape}<g transform="matrix(-1 0 0 1 32 0)">${shape}</g>`;

/** A long face seen from the front: wide at the eyes, narrow above the nose, with a muzzle. */
const LONG_FACE =
  '<path fill="url(#a)" d="M16 4c5 0 8.300 3.200 8.300 8.200 0 4-1.600 6.500-2.100 9.300-.2 1.500 1 2.600 1 4.600 0 3.300-3.200 4.900-7.200 4.900s-7.200-1.600-7.200-4.900c0-2 1.200-3.100 1-4.600-.5-2.800-2.100-5.300-2.100-9.300C7.700 7.200 11 4 16 4"/>';
const MUZZLE =
  '<path fill="url(#b)" d="M16 20.500c4 0 7.200 2.200 7.200 5.400S20 31 16 31s-7.200-1.900-7.200-5.100 3.200-5.400 7.200-5.400"/>';
const NOSTRILS = both(
  '<ellipse cx="13" cy="23.600" rx=".8" ry="1.050" fill="#4a3038" transform="rotate(18 13 23.600)"/>',
);

const UPRIGHT_EARS = both(
  '<path fill="url(#a)" d="M9.600 8.500C7.200 6.500 6.800 2.600 8 .4c2.900 1 5 3.300 5.300 5.900z"/><path fill="#d9968f" fill-opacity=".6" d="M10 6.700C8.800 5.300 8.500 3.400 8.900 2c1.500.8 2.600 2.200 2.900 3.700z"/>',
);
const MANE =
  '<path fill="url(#c)" d="M9 9C5.500 12 4.800 20 6.300 27c3.200-1 4.600-3.200 4.300-6.500zM23 9c3.500 3 4.200 11 2.700 18-3.200-1-4.600-3.200-4.300-6.500z"/>';
const FORELOCK =
  '<path fill="url(#c)" d="M11.300 4.900C12.500 2 14.500 1.200 16.500 1.200c3 0 5 1.900 5 4.400-1.300.2-2 .9-2.500 2.600-1-1-1.700-1.300-2.600-1.200.2 1.600-.3 3.400-1.700 4.600-.2-2.400-1.500-3-3.400-6.700"/>';
const BLAZE =
  '<path fill="#fff4ea" fill-opacity=".75" d="M16 8.500c1.200 0 1.500 2.500 1.300 5.500-.2 3-.6 5-1.300 5s-1.100-2-1.300-5c-.2-3 .1-5.500 1.300-5.500"/>';
const COAT = [
  gradient('a', '#b07a58', '#83543f'),
  gradient('b', '#c79a80', '#9b6c58'),
  gradient('c', '#5b3a35', '#3b2430'),
];

const horse = svg(`${MANE}${UPRIGHT_EARS}${LONG_FACE}${BLAZE}${MUZZLE}${NOSTRILS}${FORELOCK}`, ...COAT);
/** Without a mane: a camel's, and with horns a giraffe's. */
const camel = svg(`${UPRIGHT_EARS}${LONG_FACE}${MUZZLE}${NOSTRILS}`, ...COAT);
const ZEBRA_STRIPES = svg(
  both(
    '<path fill="#3a3440" d="M14.800 5.200c-.2 2.300-1.400 4-3.600 4.900.6-2.300 1.700-3.900 3.600-4.900M14.700 9.700c-.7 1.900-2.300 3-5 3.300 1.200-1.800 2.800-2.900 5-3.300M8.300 15.400c1.700-.3 3 .2 3.900 1.300-1.100.6-2.200.6-3.200.1zM9.500 18.400c1.500-.1 2.600.4 3.300 1.400-1 .4-2 .3-2.900-.2z"/>',
  ),
);
const UNICORN_HORN = svg(
  '<path fill="url(#d)" d="M16-6l2.600 12.300c-1.500 1.300-3.700 1.300-5.200 0z"/><path stroke="#d39a3c" stroke-width=".6" stroke-linecap="round" d="M15 1.400l2.300-.9M14.400 3.900l3.500-1.300M14.600 6.300l3.600-1.300"/>',
  gradient('d', '#ffe9a8', '#f0b64a'),
);
const GIRAFFE_HORNS = svg(
  `${both('<path stroke="#b98442" stroke-width="1.500" stroke-linecap="round" d="M13.600 5.200L12.800 0"/><ellipse cx="12.700" cy="-.7" rx="1.500" ry="1.300" fill="#6b4a32"/>')}<path fill="#a0652f" fill-opacity=".75" d="M15 7l2.400.4.3 2.300-2 .8-1.500-1.600zM11.200 7.800l2 .9-.3 2.200-2.200.2-.9-1.600zM19.700 8.900l2-.3.8 2-1.700 1.300-1.500-1.200zM14.700 12.600l2.300-.3.900 2.200-1.700 1.500-1.900-1.200zM11.700 17.400l1.800.3.200 1.900-1.700.2zM18.500 17.600l1.900-.2-.4 2.200-1.800-.2z"/>`,
);

/** Nose and mouth of sheep and goats. */
const SMALL_NOSE =
  '<path fill="#8a5a58" d="M16 25.200c-1.300 0-2.300-.8-2.300-1.600 0-.7 1-1 2.300-1s2.300.3 2.300 1c0 .8-1 1.600-2.300 1.600"/>';
const HANGING_EARS = both(
  '<path fill="url(#a)" d="M9.500 13.200C7 10.900 3.300 11.100 1 13.300c1 3.200 4.800 5 8.300 4z"/><path fill="#c98d86" fill-opacity=".6" d="M8.800 14c-1.900-1-4-1-5.700-.1 1.100 1.600 3.400 2.400 5.600 2z"/>',
);
const NARROW_FACE =
  '<path fill="url(#a)" d="M16 7c4.600 0 7.600 3 7.600 7.400 0 3.400-1.400 5.600-2 8.400-.7 3.600-2 7.200-5.600 7.200s-4.900-3.600-5.600-7.200c-.6-2.800-2-5-2-8.400C8.400 10 11.400 7 16 7"/>';

const WOOL =
  '<path fill="url(#c)" d="M16 1.500c1.800 0 3.300.8 4.200 2.100 2.300-.5 4.600.9 5.200 3.100 2.100.7 3.300 2.900 2.700 5.100 1.400 1.700 1.300 4.200-.2 5.800.3 2.200-1.100 4.200-3.200 4.800-.8 2-3 3.100-5.100 2.500H12.400c-2.100.6-4.300-.5-5.100-2.500-2.100-.6-3.500-2.600-3.200-4.800-1.500-1.600-1.600-4.100-.2-5.800C3.300 9.600 4.500 7.400 6.600 6.700c.6-2.200 2.900-3.600 5.200-3.100.9-1.300 2.400-2.100 4.200-2.100"/>';
const FRINGE =
  '<path fill="url(#c)" d="M16 3.500c3 0 4.200 1.200 4.900 2.500 1.700.3 2.500 1.600 2.300 3.100-.3 1.900-2.300 2.400-3.500 1.600-.9 1.300-2.700 1.400-3.700.4-1 1-2.800.9-3.700-.4-1.200.8-3.200.3-3.500-1.600-.2-1.500.6-2.800 2.300-3.100.7-1.300 1.900-2.500 4.900-2.500"/>';
const sheep = (horns: string) =>
  svg(
    `${WOOL}${HANGING_EARS}${NARROW_FACE}${FRINGE}${horns}${SMALL_NOSE}`,
    gradient('a', '#e3b48e', '#b98266'),
    gradient('c', '#f4f1f8', '#cfc8da'),
    gradient('d', '#f3cd9a', '#c08f5a'),
  );
const CURLED_HORNS = both(
  '<path stroke="url(#d)" stroke-width="2.700" stroke-linecap="round" d="M11 7.500C7.500 4.500 2.900 6.400 2.500 10.600c-.3 3.400 2.500 5.400 4.900 4.600 2-.7 2.400-3 .9-4.100"/>',
);

const goat = svg(
  `${both('<path fill="url(#d)" d="M11.200 9C9.600 7 7.900 3.600 8.300.2c3 1 5.700 4.200 6.300 7.300z"/>')}${HANGING_EARS}<path fill="url(#c)" d="M13.300 27.500h5.400c.2 2.600-1 4.600-2.500 6.200-1.800-1.300-3.100-3.400-2.900-6.200"/>${NARROW_FACE}<path fill="url(#b)" d="M16 20.200c3 0 4.600 1.600 4.600 4.300 0 2.900-1.600 5.500-4.600 5.500s-4.600-2.600-4.600-5.500c0-2.700 1.600-4.300 4.600-4.300"/>${SMALL_NOSE}`,
  gradient('a', '#e2bd93', '#b58a66'),
  gradient('b', '#f4e2cf', '#d9bba0'),
  gradient('c', '#fbf3ea', '#d6c3b2'),
  gradient('d', '#8d8590', '#57505e'),
);

const ANTLERS = both(
  '<path stroke="url(#d)" stroke-width="1.500" stroke-linecap="round" stroke-linejoin="round" d="M12 7.500C11.500 4 10 2 7 1.200M10.900 4c-2.400 1.200-4.600.8-6-.6M9.200 2.300c.4-1.600.2-2.900-.6-4"/>',
);
const deer = (antlers: string) =>
  svg(
    `${antlers}${HANGING_EARS}${NARROW_FACE}<path fill="url(#b)" d="M16 20.200c2.900 0 4.400 1.800 4.400 4.300 0 2.900-1.500 5.500-4.400 5.500s-4.400-2.600-4.400-5.500c0-2.500 1.500-4.300 4.400-4.300"/>${both('<ellipse cx="12.300" cy="15" rx="2.300" ry="2.700" fill="url(#b)" fill-opacity=".7"/>')}<path fill="#3b2a33" d="M16 24.800c-1.500 0-2.500-.9-2.500-1.800 0-.8 1.100-1.200 2.500-1.200s2.500.4 2.500 1.200c0 .9-1 1.800-2.500 1.800"/>`,
    gradient('a', '#d99a66', '#a8683f'),
    gradient('b', '#f7dfc4', '#dcb592'),
    gradient('d', '#a9805f', '#6f4c3c'),
  );

const elephant = svg(
  `${both('<path fill="url(#a)" d="M10 8C7.500 4.500 2 4-.8 7.500-4 11.500-3 20 1.500 22.500c3.300 1.800 7.500 0 8.800-3.500z"/><path fill="#d99aa6" fill-opacity=".45" d="M8.300 9.500C6.300 6.900 2.500 6.800.8 9.400c-2.100 3.200-1.300 9 1.700 10.700 2.300 1.300 5-.3 5.800-3z"/>')}<path fill="url(#a)" d="M16 3.500c5.800 0 9.700 4.100 9.700 10.100 0 8-3.700 16.400-9.700 16.400S6.300 21.600 6.300 13.600c0-6 3.900-10.100 9.700-10.100"/><path stroke="url(#b)" stroke-width="5.200" stroke-linecap="round" d="M16 17c0 4.600-1.600 8-4.600 10.200-2 1.400-4.600 1-5.600-1"/><path stroke="#8f8a9c" stroke-opacity=".55" stroke-width=".7" stroke-linecap="round" d="M13.900 20.300c1.300.6 2.700.7 4 .4M12.700 23c1.200.8 2.500 1.100 3.900 1M10.900 25.300c.9 1.100 2 1.700 3.200 1.900"/>`,
  gradient('a', '#bdb8c6', '#8e889b'),
  gradient('b', '#c6c1cf', '#96909f'),
);

const REPTILE =
  '<path fill="url(#a)" d="M16 4.500c3 0 4 .8 5.300.8 2.900 0 4.900 2.300 4.900 5.200 0 2 1.200 3.600 2.300 6.200 2.500 6.200-1 13.300-12.500 13.300S1 22.900 3.500 16.700C4.600 14.100 5.800 12.500 5.800 10.500c0-2.900 2-5.200 4.900-5.200 1.300 0 2.300-.8 5.300-.8"/><path fill="url(#b)" d="M3 22c3.500 3.200 8 4.300 13 4.300S25.500 25.200 29 22c-.3 5-4.900 8-13 8S3.300 27 3 22"/>';
const REPTILE_NOSE = both('<ellipse cx="13.400" cy="17.600" rx=".7" ry=".9" fill="#0d5a3c"/>');
const GREENS = [gradient('a', '#5fdd97', '#1c9a68'), gradient('b', '#c9f2b4', '#8fd08c')];
const lizard = svg(`${REPTILE}${REPTILE_NOSE}`, ...GREENS);
const dragon = svg(
  `${both('<path fill="url(#c)" d="M4.800 17.500c-3-.3-5.500-2.300-6.600-5 2.600-.2 4.700.4 6.700 1.900-.9-1.900-1-4-.3-6 2.400 1 4 2.800 4.700 5.400z"/><path fill="url(#d)" d="M10.500 6.500C8 4.500 7 1.500 7.900-1.500c3.300.8 5.600 3.600 5.700 6.800z"/>')}${REPTILE}<path fill="url(#c)" d="M16 .8c1.400 1.600 2 3.200 2 5.200 0 2.600-.8 4.700-2 6.500-1.200-1.800-2-3.900-2-6.500 0-2 .6-3.600 2-5.200"/>${REPTILE_NOSE}`,
  ...GREENS,
  gradient('c', '#f0527f', '#b5265f'),
  gradient('d', '#f9d27c', '#d59535'),
);

const BEAK = svg(
  '<path fill="url(#b)" d="M16 17.200c2 0 4 1.400 4 2.600 0 .9-1.600 2.200-4 2.200s-4-1.300-4-2.200c0-1.200 2-2.600 4-2.600"/>',
  gradient('b', '#ffa94f', '#e6701f'),
);
/** Bent at its end, as of those who tear or crack. */
const HOOKED_BEAK = svg(
  '<path fill="url(#b)" d="M16 15.600c2.300 0 3.600 1.400 3.600 3.100 0 2-1.400 3.600-3.600 4.600-2.200-1-3.600-2.600-3.600-4.600 0-1.700 1.300-3.100 3.600-3.100"/><path stroke="#8a5a1c" stroke-opacity=".5" stroke-width=".5" stroke-linecap="round" d="M14.300 17.600h.1M17.600 17.600h.1"/>',
  gradient('b', '#ffd166', '#e79a2a'),
);
const FLAT_BEAK = svg(
  '<path fill="url(#b)" d="M16 16.800c2.700 0 3.500 1 5.300 1.700 1.500.6 1.200 3.500-.6 3.700-1.600.2-2.700.3-4.700.3s-3.100-.1-4.700-.3c-1.800-.2-2.100-3.100-.6-3.700 1.800-.7 2.600-1.700 5.300-1.700"/><path stroke="#8a5a1c" stroke-opacity=".6" stroke-width=".6" stroke-linecap="round" d="M14.600 18.700h.1M17.300 18.700h.1"/>',
  gradient('b', '#ffb74f', '#ef8a24'),
);
const COMB = svg(
  '<path fill="url(#e)" d="M11.800 4.600c-1-1.900-.6-3.800.9-4.600 1.200.2 1.900.9 2.300 2-.1-1.700.4-2.900 1.700-3.500 1.500.7 2.100 1.900 1.900 3.600.7-.8 1.600-1.100 2.700-.8.7 1.500.3 2.900-1 4.100-2.700-1.400-5.700-1.600-8.500-.8M16 22.500c1.800.6 2.600 2 2.600 3.600 0 1.800-1 3-2.600 3s-2.600-1.200-2.600-3c0-1.600.8-3 2.600-3.600"/>',
  gradient('e', '#ff5d6c', '#cf2248'),
);
const bird = svg(
  `<path fill="url(#c)" d="M13.200 3.600c-.8-1.700-.6-3.200.4-4.300 1 .6 1.600 1.300 1.900 2.300.5-1.300 1.500-2 2.900-2.100.4 1.700-.2 3.100-1.500 4.500z"/><path fill="url(#a)" d="M16 2.500c7 0 11.800 5.500 11.800 13.300S23 30 16 30 4.200 23.600 4.200 15.800 9 2.500 16 2.500"/><path fill="#fff" fill-opacity=".28" d="M16 11c1.600-1.700 3.700-2.400 5.800-1.800 2.800.8 4 3.600 3.500 6.600-.6 3.600-3.800 7.700-9.300 7.700s-8.700-4.100-9.300-7.700c-.5-3 .7-5.800 3.500-6.600 2.100-.6 4.200.1 5.800 1.800"/>`,
  gradient('a', '#ffdc62', '#f5ac2d'),
  gradient('c', '#ffd75a', '#f0a326'),
);

const penguin = svg(
  '<path fill="url(#a)" d="M16 2c7.200 0 12 5.600 12 13.600S23.200 30 16 30 4 23.600 4 15.600 8.800 2 16 2"/><path fill="url(#c)" d="M16 11.200c1.500-2.700 3.600-4 5.800-3.700 2.900.4 4.300 3.300 4.100 7.300C25.600 22.500 21.900 30 16 30S6.400 22.500 6.100 14.800c-.2-4 1.200-6.900 4.100-7.300 2.200-.3 4.300 1 5.800 3.700"/>',
  gradient('a', '#5d4a86', '#2a2045'),
  gradient('c', '#ffffff', '#dcd5ec'),
);

const owl = svg(
  `${both('<path fill="url(#a)" d="M5.500 9.500C4.300 6.300 4 3 5 .2c3.400.4 6.500 2 8.600 4.600z"/>')}<path fill="url(#a)" d="M16 3c7 0 11.700 5.300 11.700 13S23 30 16 30 4.300 23.700 4.300 16 9 3 16 3"/>${both('<circle cx="10.800" cy="14" r="5.600" fill="url(#c)"/><circle cx="10.800" cy="14" r="3.500" fill="url(#d)"/>')}<path fill="#5d3b34" fill-opacity=".5" d="M4.800 9.800c4-.9 8 .2 11.200 3.200 3.200-3 7.200-4.100 11.200-3.200-2-2-4.500-2.900-7-2.600-1.700.2-3.100 1-4.200 2.300-1.100-1.300-2.500-2.100-4.200-2.300-2.500-.3-5 .6-7 2.600"/><path fill="url(#b)" d="M16 15.800c1.400 0 2.500 1.100 2.500 2.600 0 1.600-1.100 3.200-2.500 4-1.400-.8-2.500-2.400-2.500-4 0-1.500 1.100-2.600 2.500-2.600"/>`,
  gradient('a', '#a5745a', '#6f4638'),
  gradient('b', '#ffb352', '#e8821f'),
  gradient('c', '#f3d9bd', '#d2a988'),
  gradient('d', '#ffe57a', '#f6b62e'),
);

const octopus = svg(
  '<path fill="url(#a)" d="M16 1.500c7.500 0 12 5.600 12 12.200 0 3.800-1.300 6-1.500 8.600 2.800 1.700 4.800 4.600 3.700 7.500-2.800.9-5.400-.3-6.500-3-1 3-3.400 4.700-5.700 3.800-1-.5-1.600-1.500-2-3-.4 1.500-1 2.500-2 3-2.300.9-4.700-.8-5.700-3.800-1.100 2.700-3.700 3.900-6.500 3-1.100-2.900.9-5.800 3.700-7.500-.2-2.600-1.500-4.800-1.500-8.600C4 7.100 8.500 1.500 16 1.500"/><path fill="#fff" fill-opacity=".22" d="M10 5.500c2-1.800 5-2.300 7-1.500-3 .5-6 2.300-7.500 5-.8-1-.6-2.500.5-3.500"/><g fill="#7a1f4c" fill-opacity=".28"><circle cx="22.500" cy="7" r="1.100"/><circle cx="25" cy="10.500" r=".8"/><circle cx="19.500" cy="4.600" r=".7"/><circle cx="8.600" cy="27.600" r=".6"/><circle cx="23.400" cy="27.600" r=".6"/><circle cx="13" cy="27.400" r=".6"/><circle cx="19" cy="27.400" r=".6"/></g>',
  gradient('a', '#ef86a8', '#b8447a'),
);

const skull = svg(
  '<path fill="url(#a)" d="M16 1.600c7.700 0 12.600 5.200 12.600 12.200 0 4.100-1.700 7-4.100 8.800-.6.500-.9 1.300-.9 2.200v3c0 1.400-.9 2.200-2.200 2.200H10.600c-1.300 0-2.200-.8-2.200-2.200v-3c0-.9-.3-1.700-.9-2.200-2.400-1.800-4.100-4.700-4.100-8.800C3.400 6.800 8.300 1.600 16 1.600"/>',
  gradient('a', '#fbf9ff', '#c9c2d6'),
);
const SOCKETS = svg(
  `${both('<path fill="#2c2238" d="M10.800 10.600c2.300 0 4 1.700 4 4.100 0 2.500-1.700 4.200-4 4.200s-4.100-1.700-4.100-4.200c0-2.400 1.800-4.100 4.100-4.100"/>')}<path fill="#2c2238" d="M16 17.800c.9 1.200 1.900 2.400 1.800 3.400-.1.800-1.200.9-1.800.1-.6.800-1.700.7-1.800-.1-.1-1 .9-2.200 1.800-3.400"/><path stroke="#8d84a0" stroke-width=".55" stroke-linecap="round" d="M12.400 27v2.600M14.800 27.300v2.500M17.200 27.300v2.500M19.600 27v2.600"/>`,
);

const snowman = svg(
  '<path fill="url(#a)" d="M16 2c7.800 0 13 5.800 13 13.600S23.800 30 16 30 3 23.400 3 15.600 8.200 2 16 2"/>',
  gradient('a', '#ffffff', '#cddbea'),
);
const CARROT = svg(
  '<path fill="url(#n)" d="M15 16.200c1-1.300 3.200-1 3.500.7.3 1.300-.3 2.100-1.300 2.500L9.600 22c-.5.200-.9-.4-.5-.8z"/><path stroke="#c85f16" stroke-width=".4" stroke-linecap="round" d="M15.600 17.400l.8 1M13.300 19l.6.8"/>',
  gradient('n', '#ffab4a', '#e7761e'),
);

const pumpkin = svg(
  '<path fill="url(#a)" d="M16 4.800c2.300-1.300 5.400-.9 7.300.9 4 .8 6.700 5 6.700 10.700 0 7.300-4 12.600-8.600 12.600-1.200 0-2.200.4-3.100.7-1.500.5-3.100.5-4.600 0-.9-.3-1.900-.7-3.100-.7C6 29 2 23.700 2 16.400c0-5.700 2.700-9.900 6.700-10.700 1.900-1.800 5-2.200 7.300-.9"/><path stroke="#a8501a" stroke-opacity=".45" stroke-width=".7" stroke-linecap="round" d="M9 6.500c-3 5.500-3 15.500.5 21.500M23 6.500c3 5.500 3 15.500-.5 21.500M16 5.500c-1.600 2-2 4-2 5M16 5.500c1.600 2 2 4 2 5"/>',
  gradient('a', '#ffb04a', '#d9641e'),
);
const STALK = svg(
  '<path fill="url(#s)" d="M14.200 5.600C14.600 3.300 14 1.600 12.600.6c1.700-1.200 4.600-1 5.600.6.7 1.200.2 2.900.2 4.500-1.400-.7-2.800-.7-4.200-.1"/>',
  gradient('s', '#8fb04a', '#557a2c'),
);
const FLAMES = svg(
  '<path fill="url(#f)" d="M16 6.500c-3.500 0-6.500-2-7-5 1.200.5 2.200.5 3-.1-1-2.400-.3-4.900 1.700-6.400.1 1.700.8 2.900 2 3.600.6-1.900 2-3.100 4-3.400-.4 1.900.1 3.300 1.300 4.400.9-.3 1.500-1 1.800-2 1.700 3.800-1.400 8.900-6.800 8.900"/><path fill="#ffe07a" d="M16 6c-2 0-3.600-1.100-3.900-2.800 1 .2 1.700 0 2.200-.7 0-1.300.6-2.300 1.800-2.900.2 1.200.8 2 1.700 2.500.4-.4.7-.9.800-1.500 1.300 2.500-.1 5.400-2.600 5.400"/>',
  gradient('f', '#ffb52e', '#e2361e'),
);

/** A head in two pieces: what takes the colour of the fur, and what keeps its own. */
export interface BeastArt {
  dyed: string;
  kept?: string;
}

/** Heads by name. */
export const OWN_BEASTS: Readonly<Record<string, BeastArt>> = {
  horse: { dyed: horse },
  unicorn: { dyed: horse, kept: UNICORN_HORN },
  zebra: { dyed: horse, kept: ZEBRA_STRIPES },
  camel: { dyed: camel },
  giraffe: { dyed: camel, kept: GIRAFFE_HORNS },
  sheep: { dyed: sheep('') },
  ram: { dyed: sheep(CURLED_HORNS) },
  goat: { dyed: goat },
  deer: { dyed: deer(ANTLERS) },
  kangaroo: { dyed: deer('') },
  elephant: { dyed: elephant },
  lizard: { dyed: lizard },
  dragon: { dyed: dragon },
  bird: { dyed: bird, kept: BEAK },
  parrot: { dyed: bird, kept: HOOKED_BEAK },
  duck: { dyed: bird, kept: FLAT_BEAK },
  rooster: { dyed: bird, kept: BEAK + COMB },
  penguin: { dyed: penguin, kept: BEAK },
  owl: { dyed: owl },
  octopus: { dyed: octopus },
  skull: { dyed: skull, kept: SOCKETS },
  snowman: { dyed: snowman, kept: CARROT },
  pumpkin: { dyed: pumpkin, kept: STALK },
  phoenix: { dyed: bird, kept: FLAMES + HOOKED_BEAK },
};
