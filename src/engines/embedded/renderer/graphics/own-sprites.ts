/**
 * Drawings of our own in the emoji's manner and 128 x 128 box, for nouns whose emoji is only a head: animals get a
 * sitting body under the Noto head, the astronaut and the robot a whole figure.
 */

import { HOUSEHOLD } from './own-household.ts';
import { PROPS } from './own-props.ts';
import { SHAPES } from './own-shapes.ts';
import { SITES } from './own-sites.ts';

type Draw = (emoji: (name: string) => string) => string;

interface Coat {
  body: string;
  shade: string;
  belly: string;
  feet: string;
  tail: 'bushy' | 'tuft' | 'round' | 'none';
  tip?: string;
}

/** A sitting animal seen from the front: tail, body, belly, legs and paws, and the emoji's head on top. */
const sitting =
  (head: string, coat: Coat): Draw =>
  (emoji) => {
    const tail = {
      bushy: `<path d="M82 108c24 8 40-10 36-34-2-10-8-16-12-18 2 14-2 28-26 32z" fill="${coat.body}"/><path d="M118 76c-1-10-6-16-12-20 2 8 1 14-1 19 4 3 9 3 13 1z" fill="${coat.tip ?? coat.belly}"/>`,
      tuft: `<path d="M84 112c22 6 30-8 27-26" fill="none" stroke="${coat.body}" stroke-width="6" stroke-linecap="round"/><ellipse cx="111" cy="82" rx="6" ry="10" fill="${coat.tip ?? coat.shade}"/>`,
      round: `<circle cx="92" cy="112" r="8" fill="${coat.shade}"/>`,
      none: '',
    }[coat.tail];
    return `${tail}
<path d="M64 56c22 0 32 26 33 50 0 12-8 18-33 18s-33-6-33-18c1-24 11-50 33-50z" fill="${coat.body}"/>
<path d="M34 98c-8 6-9 22 2 25h14c4-14-4-28-16-25zM94 98c8 6 9 22-2 25H78c-4-14 4-28 16-25z" fill="${coat.shade}"/>
<path d="M64 66c13 0 18 18 18 36 0 10-6 16-18 16s-18-6-18-16c0-18 5-36 18-36z" fill="${coat.belly}"/>
<path d="M49 84c-4 0-6 4-6 10v24c0 7 16 7 16 0V92c0-5-6-8-10-8zM79 84c4 0 6 4 6 10v24c0 7-16 7-16 0V92c0-5 6-8 10-8z" fill="${coat.body}"/>
<path d="M43 114h16v5c0 6-16 6-16 0zM69 114h16v5c0 6-16 6-16 0z" fill="${coat.feet}"/>
<g transform="translate(25 0) scale(.61)">${emoji(head)}</g>`;
  };

const ASTRONAUT: Draw = () => `
<rect x="36" y="44" width="56" height="46" rx="10" fill="#8c97a5"/>
<path d="M44 86l-8 26c-2 8 2 12 8 12h10l8-30zM84 86l8 26c2 8-2 12-8 12H74l-8-30z" fill="#e3e8ee"/>
<path d="M36 113c-4 4-5 12 0 12h18l2-9zM92 113c4 4 5 12 0 12H74l-2-9z" fill="#7d8896"/>
<path d="M42 56c-14 2-24 12-28 24-3 8 8 14 13 6l17-18zM86 56c14 2 26-4 31-15 4-8-6-14-12-8-6 8-12 8-21 8z" fill="#d5dce4"/>
<circle cx="18" cy="84" r="8" fill="#7d8896"/><circle cx="112" cy="36" r="8" fill="#7d8896"/>
<rect x="40" y="50" width="48" height="48" rx="16" fill="#f1f4f8"/>
<path d="M72 50c16 4 16 44 0 48h2c9 0 14-7 14-16V66c0-9-6-16-16-16z" fill="#cfd7e0"/>
<rect x="52" y="66" width="24" height="17" rx="3" fill="#b4bfcb"/><circle cx="58" cy="72" r="2.6" fill="#e4453a"/><circle cx="66" cy="72" r="2.6" fill="#3fae5a"/><rect x="55" y="77" width="18" height="3" rx="1.5" fill="#3c6fd0"/>
<path d="M44 62l-4-2v8l4 2zM88 44l-9 6 5 6 10-6z" fill="#e4583a"/>
<circle cx="64" cy="32" r="27" fill="#f4f6f9"/><path d="M78 9c22 13 20 41-4 49 22-2 30-34 4-49z" fill="#cfd7e0"/>
<rect x="43" y="17" width="42" height="31" rx="15" fill="#18233c"/><rect x="45" y="19" width="38" height="27" rx="13" fill="#2a4478"/>
<path d="M49 29c2-6 8-9 15-9 6 0 10 1 13 4-10-1-20 2-27 9z" fill="#a8ccf5" opacity=".8"/><path d="M75 40c3-2 5-5 5-9" stroke="#f0b25a" stroke-width="2.5" fill="none" stroke-linecap="round"/>`;

/** A headland of layered rock, grass on its back, with the emoji's tower on top. */
const LIGHTHOUSE_ON_CLIFF: Draw = (emoji) => `
<g transform="translate(44 -2) scale(.53)">${emoji('lighthouse')}</g>
<path d="M6 128c0-10 4-14 6-24l8-6 3-12 10-5 6-11 12-5 14 1 14-3 18 2 9 6 4 14 9 6 3 16 6 21z" fill="#7a6a5c"/>
<path d="M79 65l18 2 9 6 4 14 9 6 3 16 6 19H92l-5-14 4-12-8-14 3-10z" fill="#5d5048"/>
<path d="M12 104l8-6 3-12 10-5 6-11 6 16-7 12 5 12-10 16H7c0-8 3-13 5-22z" fill="#94826f"/>
<path d="M26 96l16 2 14-3 20 3 17-3 16 3M18 110l19 2 15-3 24 3 18-3 22 3M36 84l14-2 16 3 16-3 18 2" fill="none" stroke="#4a3f38" stroke-width="1.6" opacity=".55"/>
<path d="M54 70l-4 14 5 12-6 15 3 15M72 68l4 15-5 13 6 14-3 17" fill="none" stroke="#4a3f38" stroke-width="1.8" opacity=".5"/>
<path d="M31 80c2-6 5-10 9-13 8-5 20-5 26-4 9-2 22-3 32 0 6 3 9 8 10 13-5-4-8-2-12-5-5 3-9-1-14 1-6-2-9 2-15 0-5 3-9-1-14 2-7-1-9 3-14 2-3 2-5 2-8 4z" fill="#6f8a45"/>
<path d="M40 67c8-5 20-5 26-4 9-2 22-3 32 0-10 3-18 1-26 3-12-1-20 3-32 1z" fill="#8aa655"/>
<path d="M2 128c3-7 9-9 15-8 5-5 14-3 17 1 8-4 16-2 20 2 8-5 17-3 22 1 8-5 18-4 22 0 7-4 15-2 18 0 6-1 10 1 11 4z" fill="#eef4f6" opacity=".85"/>`;

const ROBOT: Draw = (emoji) => `
<rect x="46" y="96" width="13" height="22" rx="4" fill="#78909c"/><rect x="69" y="96" width="13" height="22" rx="4" fill="#78909c"/>
<rect x="40" y="114" width="22" height="12" rx="5" fill="#546e7a"/><rect x="66" y="114" width="22" height="12" rx="5" fill="#546e7a"/>
<path d="M36 66c-12 4-16 18-14 28M92 66c12 4 16 18 14 28" stroke="#90a4ae" stroke-width="9" fill="none" stroke-linecap="round"/>
<circle cx="22" cy="97" r="8" fill="#c62828"/><circle cx="106" cy="97" r="8" fill="#c62828"/>
<rect x="35" y="56" width="58" height="46" rx="11" fill="#b0bec5"/><path d="M80 56h2c7 0 11 5 11 11v24c0 6-5 11-11 11h-6c8-12 9-32 4-46z" fill="#90a4ae"/>
<rect x="46" y="66" width="30" height="20" rx="4" fill="#37474f"/><path d="M49 78l6-5 5 7 5-10 4 8h5" stroke="#69f0ae" stroke-width="2.4" fill="none"/><circle cx="50" cy="94" r="3" fill="#ffca28"/><circle cx="60" cy="94" r="3" fill="#ef5350"/><circle cx="70" cy="94" r="3" fill="#42a5f5"/>
<g transform="translate(29 -3) scale(.55)">${emoji('robot')}</g>`;

const ALIEN: Draw = (emoji) => `
<path d="M64 62c14 0 20 16 20 34 0 16-4 28-8 28h-8l-4-16-4 16h-8c-4 0-8-12-8-28 0-18 6-34 20-34z" fill="#7e9a86"/>
<path d="M48 72c-14 8-20 22-18 32M80 72c14 8 20 22 18 32" stroke="#8faa96" stroke-width="7" fill="none" stroke-linecap="round"/>
<path d="M70 64c10 6 12 26 8 46 5-8 7-26 4-36-2-6-7-10-12-10z" fill="#66826f"/>
<g transform="translate(27 -4) scale(.58)">${emoji('alien')}</g>`;

const UNICORN: Draw = (emoji) =>
  `${emoji('horse')}<g transform="translate(14 27) rotate(-38)"><path d="M0 0l-4-30 11 28z" fill="#ffd54f"/><path d="M-1-7l6-2M-2-14l5-2M-3-21l3-2" stroke="#f39c2b" stroke-width="2"/></g>`;

const BALLOON: Draw = () => `
<defs><clipPath id="b"><path d="M64 2c30 0 46 22 46 44 0 20-16 36-30 50H48C34 82 18 66 18 46 18 24 34 2 64 2z"/></clipPath></defs>
<g clip-path="url(#b)"><rect width="128" height="100" fill="#e8483f"/><path d="M64 0C30 10 28 70 52 100h24C100 70 98 10 64 0z" fill="#f7c948"/><path d="M64 0c-12 10-14 70-4 100h8c10-30 8-90-4-100z" fill="#2f8fd0"/>
<path d="M64 0C90 6 108 20 112 46c2 22-14 40-34 56 20-30 26-74-14-102z" fill="#000" opacity=".13"/><path d="M40 14c-12 12-14 28-10 42" stroke="#fff" stroke-width="6" opacity=".35" fill="none" stroke-linecap="round"/></g>
<path d="M50 96l4 14M78 96l-4 14M64 96v14" stroke="#6d4c34" stroke-width="1.6"/><rect x="51" y="108" width="26" height="18" rx="4" fill="#9c6b3f"/><path d="M51 113h26M51 119h26M58 108v18M70 108v18" stroke="#7a502c" stroke-width="1.4"/>`;

const WINDMILL: Draw = () => `
<path d="M48 52h32l9 73H39z" fill="#efe6d6"/><path d="M70 52h10l9 73H74z" fill="#cfc2ab"/><path d="M44 54c0-14 8-22 20-22s20 8 20 22z" fill="#8d4a34"/><path d="M68 32c10 2 16 10 16 22H74c0-10-2-17-6-22z" fill="#6f3826"/>
<rect x="57" y="104" width="14" height="21" rx="7" fill="#6d4a30"/><rect x="58" y="72" width="11" height="13" rx="2" fill="#4a6f92"/>
<g transform="rotate(22 64 46)" fill="#f7f1e4" stroke="#7a5a3c" stroke-width="1.8"><path d="M62 46V2h15v30L66 46zM66 46v44H51V60l11-14z"/><path d="M64 44h44v15H78L64 48zM64 48H20V33h30l14 11z"/></g><circle cx="64" cy="46" r="4.5" fill="#5c4030"/>`;

const PYRAMID: Draw = () => `
<path d="M64 30L4 124h86z" fill="#e8c683"/><path d="M64 30l26 94h34z" fill="#b08a50"/>
<path d="M55 44h12M46 58h26M37 72h38M28 86h52M19 100h64M11 113h76" stroke="#c9a460" stroke-width="1.2"/>`;

/** An open carton, seen from a little above: what is in it looks over its rim. */
const BOX: Draw = () => `
<path d="M20 52l18-24h52l18 24z" fill="#8a5a2e"/><path d="M8 60l12-10 18-22-16-6zM120 60l-12-10-18-22 16-6z" fill="#d9a468"/>
<path d="M18 50h92l-4 74H22z" fill="#c98f52"/><path d="M86 50h24l-4 74H84z" fill="#b37a40"/>
<path d="M18 50h92l-1 8H19z" fill="#e0b07a"/><path d="M57 50h14v30H57z" fill="#ead6b4" opacity=".8"/>
<path d="M30 112h18M30 105h12" stroke="#7a4f28" stroke-width="3" stroke-linecap="round" opacity=".6"/>`;

const BOTTLE: Draw = () => `
<path d="M54 8h20v28c0 8 14 12 14 28v52c0 6-4 10-10 10H50c-6 0-10-4-10-10V64c0-16 14-20 14-28z" fill="#3f9a6b"/>
<path d="M74 8v28c0 8 14 12 14 28v52c0 6-4 10-10 10h-8c6 0 9-4 9-10V64c0-16-13-20-13-28V8z" fill="#2c7550"/>
<path d="M46 66c0-8 4-12 8-16" stroke="#bfe8d2" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M46 74v34" stroke="#bfe8d2" stroke-width="4" stroke-linecap="round" opacity=".7"/>
<rect x="52" y="2" width="24" height="11" rx="3" fill="#d8b24a"/><path d="M40 74h48v28H40z" fill="#f4ecd8"/><path d="M48 83h32M48 92h22" stroke="#b8a680" stroke-width="3"/>`;

/** A standing lamp, lit. */
const LAMP: Draw = () => `
<path d="M61 50h6v66h-6z" fill="#7d6248"/><ellipse cx="64" cy="118" rx="24" ry="7" fill="#6a5138"/><ellipse cx="64" cy="116" rx="24" ry="6" fill="#8d7052"/>
<path d="M46 6h36l18 46H28z" fill="#f6d98a"/><path d="M46 6h36l2 5H44z" fill="#d9b35c"/><path d="M28 52l2-6h68l2 6z" fill="#d9b35c"/>
<path d="M56 10l-12 36h14l4-36z" fill="#fff3c8" opacity=".8"/><path d="M84 52v14" stroke="#d9b35c" stroke-width="2"/><circle cx="84" cy="68" r="3" fill="#d9b35c"/>`;

const PLANET: Draw = (emoji) => emoji('ringed-planet');

/** Drawings by name (without the `own:` of the noun list). */
export const OWN_SPRITES: Record<string, Draw | undefined> = {
  ...HOUSEHOLD,
  ...SHAPES,
  ...PROPS,
  ...SITES,
  'lighthouse-on-cliff': LIGHTHOUSE_ON_CLIFF,
  fox: sitting('fox', {
    body: '#f4812b',
    shade: '#d9641a',
    belly: '#fff3e4',
    feet: '#5a3a2c',
    tail: 'bushy',
    tip: '#fff8ef',
  }),
  bear: sitting('bear', { body: '#7d5a4f', shade: '#64463d', belly: '#a07a6b', feet: '#4e362f', tail: 'none' }),
  wolf: sitting('wolf', {
    body: '#8e979d',
    shade: '#6f7a82',
    belly: '#e4e8ea',
    feet: '#5b656c',
    tail: 'bushy',
    tip: '#d8dde0',
  }),
  panda: sitting('panda', { body: '#2f3234', shade: '#242729', belly: '#f5f5f3', feet: '#1c1e20', tail: 'none' }),
  koala: sitting('koala', { body: '#8f979c', shade: '#757d83', belly: '#dfe3e5', feet: '#5c6469', tail: 'none' }),
  lion: sitting('lion', {
    body: '#f2b544',
    shade: '#d99a2b',
    belly: '#fbe0a4',
    feet: '#c98a24',
    tail: 'tuft',
    tip: '#8a4b1d',
  }),
  frog: sitting('frog', { body: '#8bc34a', shade: '#6ea234', belly: '#e3f2b8', feet: '#5f8f2c', tail: 'none' }),
  'polar-bear': sitting('polar-bear', {
    body: '#e8f0f5',
    shade: '#cbd9e2',
    belly: '#f8fbfd',
    feet: '#b3c4cf',
    tail: 'none',
  }),
  astronaut: ASTRONAUT,
  robot: ROBOT,
  alien: ALIEN,
  unicorn: UNICORN,
  'hot-air-balloon': BALLOON,
  windmill: WINDMILL,
  pyramid: PYRAMID,
  planet: PLANET,
  box: BOX,
  bottle: BOTTLE,
  lamp: LAMP,
};
