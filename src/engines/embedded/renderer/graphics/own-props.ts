/** Drawings of our own, in the emoji's manner and 128 x 128 box, of common things that the emoji set does not have. */

const TABLE = `
<path d="M18 64h10l-4 60h-8zM100 64h10l2 60h-8z" fill="#7a4a24"/><path d="M32 62h8l-2 48h-6zM88 62h8v48h-6z" fill="#5d3718"/>
<path d="M22 44h84l18 16H4z" fill="#c98a4e"/><path d="M26 46h76l4 4H21z" fill="#dba566"/><path d="M4 60h120v8H4z" fill="#8f5a2c"/><path d="M12 68h104v6H12z" fill="#6b4120"/>`;

const BENCH = `
<path d="M16 44h8v80h-8zM104 44h8v80h-8z" fill="#4a525a"/><path d="M10 88h108v6H10z" fill="#39414a"/>
<path d="M8 44h112v11H8zM8 59h112v11H8z" fill="#b87a42"/><path d="M8 44h112v3H8zM8 59h112v3H8z" fill="#d79c60"/>
<path d="M12 78h104l8 12H4z" fill="#c98a4e"/><path d="M4 90h120v5H4z" fill="#8f5a2c"/><path d="M8 95h7v30H8zM113 95h7v30h-7z" fill="#2f363d"/>`;

const PICKETS = [4, 24, 44, 64, 84, 104].map((x) => `M${x} 124V84l10-12 10 12v40z`).join('');
const EDGES = [4, 24, 44, 64, 84, 104].map((x) => `M${x + 14} 124V77l6 7v40z`).join('');
const FENCE = `
<path d="M0 90h128v8H0zM0 110h128v8H0z" fill="#cfc6b6"/><path d="${PICKETS}" transform="translate(.8 0) scale(.985 1)" fill="#f6f1e6" stroke="#b9ae9a" stroke-width="1.4"/><path d="${EDGES}" fill="#d8cfbe"/>`;

const BRIDGE = `
<path d="M0 74C30 54 98 54 128 74v46h-22c0-50-84-50-84 0H0z" fill="#a59a8c"/><path d="M22 120c0-50 84-50 84 0h-8c0-38-68-38-68 0z" fill="#7c7166"/>
<path d="M0 64C30 44 98 44 128 64v12C98 56 30 56 0 76z" fill="#c4b8a8"/><path d="M0 64C30 44 98 44 128 64v3C98 47 30 47 0 67z" fill="#e0d6c8"/>
<path d="M8 84h10M4 94h12M8 104h9M110 84h10M112 94h12M111 104h9M40 68h12M60 64h12M78 68h12" stroke="#83786b" stroke-width="2" stroke-linecap="round"/>`;

const FLAG = `
<path d="M28 4h6v120h-6z" fill="#8a6a4a"/><circle cx="31" cy="5" r="5" fill="#e2bb4c"/>
<path d="M34 12c20-8 34 10 62 0v46c-28 10-42-8-62 0z" fill="#dc3d36"/><path d="M62 12c10 3 20 4 34 0v46c-14 4-24 3-34 0z" fill="#c02f2c" opacity=".55"/>`;

const SWING = `
<path d="M30 8h68v7H30z" fill="#8f5a2c"/><path d="M34 10L12 124M94 10l22 114" stroke="#a86c38" stroke-width="7" stroke-linecap="round"/><path d="M34 10l10 114M94 10l-10 114" stroke="#7d4d26" stroke-width="5" stroke-linecap="round"/>
<path d="M50 14v78M78 14v78" stroke="#c9b48a" stroke-width="2.6"/><path d="M42 90h44v8H42z" fill="#d64f43"/><path d="M42 95h44v3H42z" fill="#a8362e"/>`;

const SANDCASTLE = `
<path d="M10 124c2-10 8-16 16-16h76c8 0 14 6 16 16z" fill="#d9b572"/><path d="M22 110V70h26v40zM80 110V70h26v40zM46 110V56h36v54z" fill="#ecca88"/>
<path d="M38 110V70h10v40zM96 110V70h10v40zM70 110V56h12v54z" fill="#cfa862"/><path d="M20 72v-8h6v4h6v-4h6v4h6v-4h6v8zM78 72v-8h6v4h6v-4h6v4h6v-4h6v8zM44 58v-9h7v4h8v-4h9v4h8v-4h8v9z" fill="#f3d69a"/>
<path d="M57 110V92a7 7 0 0114 0v18z" fill="#8a6738"/><path d="M64 49V22" stroke="#8a6a4a" stroke-width="2.5"/><path d="M65 22l20 7-20 7z" fill="#e2483f"/><circle cx="35" cy="86" r="3" fill="#a97f42"/><circle cx="93" cy="86" r="3" fill="#a97f42"/>`;

const SURFBOARD = `
<path d="M64 2c18 18 24 44 24 68 0 26-10 46-16 54H56c-6-8-16-28-16-54C40 46 46 20 64 2z" fill="#35a7c9"/><path d="M64 2c18 18 24 44 24 68 0 26-10 46-16 54h-8z" fill="#2789aa"/>
<path d="M41 58h46l1 14H40z" fill="#fff"/><path d="M40 76h48l-2 8H42z" fill="#f2b53a"/><path d="M64 4v118" stroke="#1d6c88" stroke-width="2"/>`;

const TOWER = (face: string): string => `
<path d="M42 30h44v96H42z" fill="#cbb593"/><path d="M68 30h18v96H68z" fill="#a8916d"/><path d="M38 30h52v6H38zM38 66h52v5H38z" fill="#e3d2b4"/><path d="M38 30L64 2l26 28z" fill="#5b6f86"/><path d="M64 2l26 28H72z" fill="#465a70"/>
${face}<path d="M56 126v-14a8 8 0 0116 0v14z" fill="#6d4a30"/><path d="M60 80h8v16h-8z" fill="#4a5a6e"/>`;
const CLOCK_FACE =
  '<circle cx="64" cy="51" r="13" fill="#fbf6e8" stroke="#7c5a2c" stroke-width="2.5"/><path d="M64 51v-9M64 51l6 4" stroke="#2c2c34" stroke-width="2.2" stroke-linecap="round"/>';
const WINDOWS = '<path d="M52 44h8v14h-8zM68 44h8v14h-8z" fill="#4a5a6e"/>';

const CAMPFIRE = (emoji: (name: string) => string): string => `
<g transform="translate(22 2) scale(.66 .86)">${emoji('fire')}</g>
<path d="M20 104l80 16M108 104l-80 16" stroke="#6b4120" stroke-width="12" stroke-linecap="round"/><path d="M20 102l80 16" stroke="#8f5a2c" stroke-width="4" stroke-linecap="round"/><circle cx="106" cy="121" r="4" fill="#d9a468"/><circle cx="22" cy="121" r="4" fill="#d9a468"/>`;

const STROLLER = `
<path d="M16 52h72c0 26-14 42-36 42S16 78 16 52z" fill="#4a78b8"/><path d="M52 52V14C30 14 16 30 16 52z" fill="#6b9ad8"/><path d="M52 52V14c-8 8-14 22-14 38z" fill="#3f68a4"/>
<path d="M86 54l24-30h10M34 88l-8 16M70 88l8 16M30 100h46" stroke="#4a525a" stroke-width="5" fill="none" stroke-linecap="round"/><circle cx="28" cy="110" r="13" fill="#2f363d"/><circle cx="78" cy="110" r="13" fill="#2f363d"/><circle cx="28" cy="110" r="6" fill="#c4ccd4"/><circle cx="78" cy="110" r="6" fill="#c4ccd4"/>`;

/** From the side, so that it is stood on. */
const SKATEBOARD = `
<path d="M2 50c2-2 5-2 7 0l12 8h86l12-8c2-2 5-2 7 0s2 5 0 7l-14 9a8 8 0 01-5 2H21a8 8 0 01-5-2L2 57c-2-2-2-5 0-7z" fill="#d8463c"/><path d="M2 50c2-2 5-2 7 0l12 8h86l12-8c2-2 5-2 7 0l-15 11a8 8 0 01-5 2H22a8 8 0 01-5-2z" fill="#3a3f4a"/>
<path d="M24 68h18l-4 6H28zM86 68h18l-4 6H90z" fill="#8d97a2"/><circle cx="33" cy="77" r="8" fill="#f2b53a"/><circle cx="95" cy="77" r="8" fill="#f2b53a"/><circle cx="33" cy="77" r="3.200" fill="#6b4626"/><circle cx="95" cy="77" r="3.200" fill="#6b4626"/>`;

const BOW_TIE = `
<path d="M64 64L14 38c-6-3-10 0-10 6v40c0 6 4 9 10 6zM64 64l50-26c6-3 10 0 10 6v40c0 6-4 9-10 6z" fill="#c2382f"/><path d="M64 64l50 26c6 3 10 0 10-6V64zM64 64L14 90c-6 3-10 0-10-6V64z" fill="#962820"/>
<path d="M52 56L24 46M52 72L24 82M76 56l28-10M76 72l28 10" stroke="#7d1f1a" stroke-width="3" stroke-linecap="round"/><rect x="51" y="49" width="26" height="30" rx="8" fill="#d8463c"/><path d="M69 49c5 0 8 3 8 8v14c0 5-3 8-8 8z" fill="#a8302a"/>`;

/** By name, without the `own:` of the noun list. */
export const PROPS: Readonly<Record<string, (emoji: (name: string) => string) => string>> = {
  'bow-tie': () => BOW_TIE,
  skateboard: () => SKATEBOARD,
  table: () => TABLE,
  bench: () => BENCH,
  fence: () => FENCE,
  bridge: () => BRIDGE,
  flag: () => FLAG,
  swing: () => SWING,
  sandcastle: () => SANDCASTLE,
  surfboard: () => SURFBOARD,
  tower: () => TOWER(WINDOWS),
  'clock-tower': () => TOWER(CLOCK_FACE),
  campfire: CAMPFIRE,
  stroller: () => STROLLER,
};
