/** Drawings of our own, in the emoji's manner and 128 x 128 box: vessels, furniture and tools of house and garden that the set lacks. */

/** Seen from a little above: what is in it looks over its front rim. */
const BOWL = `
<ellipse cx="64" cy="58" rx="58" ry="12" fill="#2f6c8c"/><path d="M6 58c0 40 26 58 58 58s58-18 58-58c-8 8-32 12-58 12S14 66 6 58z" fill="#4f9dc4"/>
<path d="M88 68c18-2 30-6 34-10 0 40-26 58-58 58 22-8 30-28 24-48z" fill="#3a7fa6"/><path d="M6 58c8 8 32 12 58 12s50-4 58-12c0 4 0 7-1 10-10 8-32 12-57 12S17 76 7 68c-1-3-1-6-1-10z" fill="#8cc6e2"/>
<path d="M40 116h48l4 8H36z" fill="#2f6c8c"/>`;
const PLATE = `
<ellipse cx="64" cy="104" rx="62" ry="19" fill="#c3ccd4"/><ellipse cx="64" cy="100" rx="62" ry="18" fill="#f3f6f8"/><ellipse cx="64" cy="100" rx="44" ry="11.500" fill="#dde4ea"/><ellipse cx="64" cy="101" rx="41" ry="10" fill="#f8fafb"/>`;
const TRAY = `
<path d="M14 88h100l14 24H0z" fill="#8d98a3"/><path d="M18 90h92l10 17H8z" fill="#c5ced6"/><path d="M0 112h128v5a4 4 0 01-4 4H4a4 4 0 01-4-4z" fill="#6f7a85"/>
<path d="M2 100c-4-8 2-14 10-14M126 100c4-8-2-14-10-14" stroke="#6f7a85" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M26 94h30l-8 8H20z" fill="#e2e8ed"/>`;
const GLASS = `
<path d="M32 8h64l-8 116H40z" fill="#d6ecf5" opacity=".75"/><path d="M35 44h58l-5 76H40z" fill="#8fd0ee" opacity=".9"/><ellipse cx="64" cy="44" rx="29" ry="5" fill="#bfe6f7"/>
<path d="M32 8h64l-8 116H40z" fill="none" stroke="#9dbccb" stroke-width="3"/><path d="M44 18l4 94" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".8"/>`;
const JUG = `
<path d="M86 40c26-8 36 8 34 28s-16 30-30 30" stroke="#b9653a" stroke-width="9" fill="none"/><path d="M34 8h54l-4 26c14 12 18 26 18 44 0 30-12 46-22 46H44c-10 0-22-16-22-46 0-18 6-32 18-44z" fill="#d98250"/>
<path d="M88 8l-4 26c14 12 18 26 18 44 0 30-12 46-22 46H66c18-6 24-26 22-48-2-20-12-30-12-44V8z" fill="#b9653a"/><path d="M34 8h54l-1 7H35L24 20z" fill="#eaa679"/><path d="M24 70h78v9H23z" fill="#f2d7a8"/>`;
const CAGE = `
<path d="M64 2a7 7 0 110 14 7 7 0 010-14z" fill="none" stroke="#a07a2c" stroke-width="4"/><path d="M20 62c0-28 20-46 44-46s44 18 44 46v54H20z" fill="#f3e3b0" opacity=".25"/>
<path d="M20 112V62c0-28 20-46 44-46s44 18 44 46v50M35 112V34M50 112V19M64 112V16M78 112V19M93 112V34M20 62h88" fill="none" stroke="#c79a3c" stroke-width="3.500"/><rect x="14" y="110" width="100" height="14" rx="4" fill="#b08432"/><path d="M14 117h100v3a4 4 0 01-4 4H18a4 4 0 01-4-4z" fill="#8a6524"/>`;
const CAULDRON = `
<path d="M30 112l-8 14h12l6-12zM98 112l8 14H94l-6-12z" fill="#23262b"/><ellipse cx="64" cy="40" rx="54" ry="13" fill="#5fbf4a"/><circle cx="46" cy="32" r="8" fill="#7fdc66"/><circle cx="72" cy="26" r="11" fill="#7fdc66"/><circle cx="88" cy="36" r="6" fill="#93ea7c"/><circle cx="60" cy="10" r="4.500" fill="#7fdc66"/>
<path d="M8 44c0-4 2-6 6-8 2 12 26 17 50 17s48-5 50-17c4 2 6 4 6 8 0 6-4 9-8 11 6 30-8 63-48 63S10 85 16 55c-4-2-8-5-8-11z" fill="#3a4048"/><path d="M112 55c6 30-8 63-48 63 26-10 38-30 36-59z" fill="#2a2f36"/><path d="M24 66c-2 16 2 28 10 36" stroke="#6a737e" stroke-width="5" fill="none" stroke-linecap="round"/>`;
const PILLOW = `
<path d="M10 46c4-10 12-10 22-8 22 4 42 4 64 0 10-2 18-2 22 8-6 18-6 38 0 56-4 10-12 10-22 8-22-4-42-4-64 0-10 2-18 2-22-8 6-18 6-38 0-56z" fill="#e9eef4"/><path d="M118 46c-6 18-6 38 0 56-4 10-12 10-22 8-22-4-42-4-64 0-7 1-13 2-17-1 40-4 84-22 98-66 2 1 4 2 5 3z" fill="#c9d4e0"/>
<path d="M40 56c16 4 32 4 46-2M44 92c14-3 26-3 40 0" stroke="#b6c4d2" stroke-width="3" fill="none" stroke-linecap="round"/>`;
const BLANKET = `
<path d="M22 86h84l22 30c-6 6-12 2-18 6s-12-2-18 2-14-3-20 1-14-4-20 0-12-3-18 1-12-2-18-4-10 0-14-6z" fill="#a83e38"/><path d="M22 84h84l22 30c-6 4-12 0-18 4s-12-2-18 2-14-3-20 1-14-4-20 0-12-3-18 1-12-2-18-4-10 0-14-4z" fill="#d8655a"/>
<path d="M18 92h92M13 99h102M8 107h112" stroke="#f2c9a8" stroke-width="3"/><path d="M22 84h84l3 4H19z" fill="#eb8a7e"/>`;
const SHELF = `
<path d="M6 20h116v104H6z" fill="#7a4a26"/><path d="M12 28h104v28H12zM12 62h104v26H12zM12 94h104v24H12z" fill="#4f2e16"/><path d="M2 14h124v9H2zM12 56h104v6H12zM12 88h104v6H12z" fill="#a86c3a"/>
<path d="M18 34h8v22h-8zM38 32h9v24h-9zM60 36h8v20h-8zM84 34h9v22h-9zM20 68h9v20h-9zM52 66h9v22h-9zM100 68h8v20h-8z" fill="#c94f43"/><path d="M27 37h7v19h-7zM48 36h8v20h-8zM94 38h8v18h-8zM30 71h8v17h-8zM76 68h9v20h-9zM24 100h22v18H24z" fill="#3f7fa6"/><path d="M69 32h8v24h-8zM40 68h8v20h-8zM62 70h9v18h-9zM88 72h8v16h-8zM74 102h26v16H74z" fill="#e0b04c"/>`;
const CABINET = `
<path d="M12 2h104v118H12z" fill="#a86c3a"/><path d="M8 0h112v8H8z" fill="#c98a4e"/><path d="M20 14h42v96H20zM66 14h42v96H66z" fill="#8f5a2c"/><path d="M25 20h32v38H25zM71 20h32v38H71zM25 66h32v38H25zM71 66h32v38H71z" fill="#b87a42"/>
<circle cx="59" cy="64" r="3" fill="#f0cf7a"/><circle cx="69" cy="64" r="3" fill="#f0cf7a"/><path d="M12 120h14v8H12zM102 120h14v8h-14z" fill="#6b4120"/>`;
const HYDRANT = `
<path d="M36 50h56v66H36z" fill="#d8403a"/><path d="M76 50h16v66H76z" fill="#b02f2c"/><path d="M40 36c0-16 10-26 24-26s24 10 24 26z" fill="#e5534a"/><path d="M58 2h12v10H58z" fill="#b02f2c"/><rect x="30" y="34" width="68" height="12" rx="4" fill="#c23631"/><rect x="28" y="114" width="72" height="12" rx="4" fill="#9b2824"/>
<rect x="18" y="62" width="20" height="22" rx="4" fill="#c23631"/><rect x="90" y="62" width="20" height="22" rx="4" fill="#9b2824"/><circle cx="64" cy="74" r="17" fill="#b02f2c"/><circle cx="64" cy="74" r="10" fill="#e8b84a"/>`;
const TOASTER = `
<path d="M36 30h24v30H36zM70 26h24v34H70z" fill="#d99a52"/><path d="M40 34h16v26H40zM74 30h16v30H74z" fill="#f3d9a4"/><rect x="10" y="50" width="108" height="66" rx="18" fill="#b9c2ca"/><path d="M92 50h8c10 0 18 8 18 18v30c0 10-8 18-18 18H82c12-12 16-44 10-66z" fill="#8f9aa4"/>
<path d="M28 54h76v8H28z" fill="#4b545c"/><path d="M22 70v22" stroke="#f1f5f8" stroke-width="6" stroke-linecap="round"/><rect x="112" y="72" width="12" height="10" rx="3" fill="#3b434a"/><circle cx="98" cy="98" r="7" fill="#3b434a"/><path d="M22 116h16v8H22zM90 116h16v8H90z" fill="#4b545c"/>`;
const MICROWAVE = `
<rect x="2" y="34" width="124" height="82" rx="8" fill="#c9d1d8"/><rect x="10" y="42" width="82" height="64" rx="6" fill="#3b434a"/><rect x="17" y="49" width="68" height="50" rx="4" fill="#5d6972"/><path d="M22 54h24L30 94h-8z" fill="#7d8a94"/><rect x="98" y="44" width="22" height="13" rx="2" fill="#2f3a33"/><path d="M102 51h14" stroke="#69f0ae" stroke-width="3"/>
<path d="M100 64h7v6h-7zM111 64h7v6h-7zM100 75h7v6h-7zM111 75h7v6h-7zM100 86h7v6h-7zM111 86h7v6h-7z" fill="#8f9aa4"/><path d="M14 116h14v7H14zM100 116h14v7h-14z" fill="#6f7a85"/>`;
const WATERING_CAN = `
<path d="M74 44c34-14 50 18 34 52l-14 4" stroke="#2f7d4a" stroke-width="7" fill="none"/><path d="M40 76L10 40" stroke="#3f9e5d" stroke-width="11" stroke-linecap="round"/><path d="M0 42l20-18 6 10L8 52z" fill="#2f7d4a"/><path d="M36 50h62v66a6 6 0 01-6 6H42a6 6 0 01-6-6z" fill="#4cb56e"/><path d="M80 50h18v66a6 6 0 01-6 6H76c8-18 10-48 4-72z" fill="#358a52"/><ellipse cx="67" cy="50" rx="31" ry="7" fill="#27693d"/>
<path d="M2 58l-2 8M10 58v9M18 54l2 8" stroke="#7cc7ec" stroke-width="3" stroke-linecap="round"/>`;
const WHEELBARROW = `
<path d="M30 84l86-24 12-2v7L34 94zM86 72l8 46h-9l-9-42z" fill="#6b4120"/><path d="M8 40h92L84 84H36z" fill="#3f8f5a"/><path d="M70 40h30L84 84H58c8-12 12-28 12-44z" fill="#2f6f46"/><path d="M4 36h100v8H4z" fill="#57ab74"/><circle cx="30" cy="104" r="20" fill="#2f363d"/><circle cx="30" cy="104" r="11" fill="#aab4bd"/><circle cx="30" cy="104" r="4" fill="#2f363d"/><path d="M44 80l-14 24" stroke="#6b4120" stroke-width="6"/>`;
const EASEL = `
<path d="M60 0h8v20h-8zM34 84h8l-12 42h-8zM86 84h8l12 42h-8zM60 92h8v30h-8z" fill="#8f5a2c"/><path d="M18 84h92v8H18z" fill="#a86c3a"/><path d="M20 12h88v72H20z" fill="#d9c9a8"/><path d="M24 16h80v64H24z" fill="#fbf7ec"/><path d="M24 62c20-14 30-6 44-12s22-8 36 0v30H24z" fill="#7fb56a"/><circle cx="84" cy="32" r="9" fill="#f2b53a"/><path d="M24 46c14-16 24-18 34 0 6-8 12-10 20 2-14 0-34 4-54 14z" fill="#7a9cc4"/>`;
const LANTERN = `
<path d="M44 24c0-28 40-28 40 0" fill="none" stroke="#4a4038" stroke-width="5"/><path d="M40 30h48l10 16H30z" fill="#5d5046"/><path d="M34 46h60v62H34z" fill="#ffe3a0"/><path d="M64 58c10 12 14 20 14 28a14 14 0 01-28 0c0-8 4-16 14-28z" fill="#f6a63a"/><path d="M64 74c5 6 7 11 7 15a7 7 0 01-14 0c0-4 2-9 7-15z" fill="#fff3c4"/>
<path d="M34 46h6v62h-6zM88 46h6v62h-6zM61 46h5v10h-5z" fill="#4a4038"/><path d="M26 106h76v10H26zM34 116h60v8H34z" fill="#5d5046"/>`;
const TORCH = (emoji: (name: string) => string): string => `
<path d="M54 62h20l-5 64h-10z" fill="#8a5a2e"/><path d="M66 62h8l-5 64h-5z" fill="#6b4120"/><path d="M46 52h36v14H46z" fill="#4a4038"/><g transform="translate(30 -6) scale(.53 .5)">${emoji('fire')}</g>`;
const BIRDHOUSE = `
<path d="M58 88h12v40H58z" fill="#7a4a24"/><path d="M26 40h76v54H26z" fill="#d9a05c"/><path d="M82 40h20v54H76c6-16 8-36 6-54z" fill="#b98044"/><path d="M64 2l54 40-7 9L64 18 17 51l-7-9z" fill="#b5483c"/><path d="M64 18l40 28v4H24v-4z" fill="#c98a4a"/><circle cx="64" cy="60" r="13" fill="#4a2e16"/><path d="M64 80v10" stroke="#7a4a24" stroke-width="5" stroke-linecap="round"/>`;
const BUSH = `
<path d="M6 124C-4 100 8 84 22 82 20 60 40 46 58 54c10-16 38-14 44 8 20 2 28 22 20 36 6 10 4 20 0 26z" fill="#4f9a45"/><path d="M22 82c10-6 20-2 24 6-14 0-18 12-14 22-12-6-16-18-10-28zM58 54c10 2 16 10 14 20-10-4-18 0-24 6-2-12 2-22 10-26zM102 62c4 8 2 18-6 22-2-10-8-14-16-14 4-8 12-12 22-8z" fill="#6fb85f"/><path d="M64 124c10-20 30-24 58-26 6 10 4 20 0 26z" fill="#3a7a35"/>`;
const STARFISH = `
<path d="M64 8c8 0 12 30 18 36s38 0 40 8-26 22-28 30 18 32 10 38-28-16-40-16-32 22-40 16 12-30 10-38S4 60 6 52s34-2 40-8S56 8 64 8z" fill="#f08a4a"/><path d="M64 22v34M112 54L76 66M94 110L74 78M34 110l20-32M16 54l36 12" stroke="#ffc08a" stroke-width="5" stroke-linecap="round" stroke-dasharray="1 9"/>`;
const NET = `
<path d="M4 10c20 14 100 14 120 0-2 60-24 112-60 114C28 122 6 70 4 10z" fill="#e8dcc0" opacity=".25"/><path d="M4 10c20 14 100 14 120 0M10 40c24 14 84 14 108 0M20 70c22 12 66 12 88 0M36 98c18 8 38 8 56 0M24 18c4 40 14 78 34 106M46 22c2 40 8 74 16 102M82 22c-2 40-8 74-16 102M104 18c-4 40-14 78-34 106M4 10c2 60 24 112 60 114 36-2 58-54 60-114" fill="none" stroke="#a08c64" stroke-width="3"/><circle cx="24" cy="16" r="6" fill="#d8463c"/><circle cx="64" cy="21" r="6" fill="#d8463c"/><circle cx="104" cy="16" r="6" fill="#d8463c"/>`;
const HOOP = `
<path d="M58 40h12v86H58z" fill="#6f7a85"/><path d="M20 0h88v52H20z" fill="#f4f6f8"/><path d="M20 0h88v52H20zM44 20h40v28H44z" fill="none" stroke="#d8463c" stroke-width="4"/><ellipse cx="64" cy="54" rx="20" ry="5" fill="none" stroke="#ee7a2a" stroke-width="4"/><path d="M45 56l8 24h22l8-24M52 58l14 22M76 58L62 80" fill="none" stroke="#cfd6dc" stroke-width="2.500"/>`;

const PEDESTAL = `
<path d="M10 26v76c0 26 108 26 108 0V26z" fill="#e6e2da"/><path d="M86 26v93c20-3 32-9 32-17V26z" fill="#c3bdb2"/><path d="M10 26v76c0 8 8 13 20 16V26z" fill="#f4f1ea"/><ellipse cx="64" cy="26" rx="54" ry="20" fill="#fbf9f4"/><ellipse cx="64" cy="26" rx="46" ry="15.500" fill="#efebe2"/>`;
const FLOWERPOT = `
<path d="M22 40h84l-14 84H36z" fill="#c2693f"/><path d="M76 40h30l-14 84H70c8-26 8-56 6-84z" fill="#a1522e"/><path d="M14 20h100v26H14z" fill="#d47a4e"/><path d="M84 20h30v26H84z" fill="#b25c36"/><ellipse cx="64" cy="21" rx="50" ry="8" fill="#8a4526"/><ellipse cx="64" cy="22" rx="43" ry="5.500" fill="#4a3020"/>`;
const PAPER_PLANE = `
<path d="M4 62L124 10 76 118 56 82z" fill="#e9eef3"/><path d="M124 10L56 82l-6 34-10-42z" fill="#b9c4cf"/><path d="M4 62L124 10 40 74z" fill="#fbfdff"/><path d="M50 116l20-24-14-10z" fill="#8f9caa"/>`;
const PIZZA = `
<circle cx="64" cy="64" r="61" fill="#d98f3e"/><circle cx="64" cy="64" r="54" fill="#c9502c"/><circle cx="64" cy="64" r="51" fill="#f7c64f"/><path d="M64 13v102M13 64h102M28 28l72 72M100 28l-72 72" stroke="#d99a34" stroke-width="1.800"/>
${[
  [64, 36],
  [92, 50],
  [90, 82],
  [62, 94],
  [36, 80],
  [38, 48],
  [64, 64],
]
  .map(
    ([x, y]) =>
      `<circle cx="${x}" cy="${y}" r="9.500" fill="#b8352a"/><circle cx="${(x ?? 0) - 2}" cy="${(y ?? 0) - 2}" r="6.500" fill="#cf4a3a"/>`,
  )
  .join('')}
<path d="M50 24c4-4 8-4 10 0-2 4-6 5-10 0zM76 62c4-4 8-4 10 0-2 4-6 5-10 0zM46 62c4-5 8-5 10 0-3 4-7 5-10 0zM76 100c4-4 8-4 10 0-2 4-6 5-10 0z" fill="#4f8f3a"/>`;

/** By name, without the `own:` of the noun list. */
export const HOUSEHOLD: Readonly<Record<string, (emoji: (name: string) => string) => string>> = {
  bowl: () => BOWL,
  plate: () => PLATE,
  tray: () => TRAY,
  glass: () => GLASS,
  jug: () => JUG,
  cage: () => CAGE,
  cauldron: () => CAULDRON,
  pillow: () => PILLOW,
  blanket: () => BLANKET,
  shelf: () => SHELF,
  cabinet: () => CABINET,
  hydrant: () => HYDRANT,
  toaster: () => TOASTER,
  microwave: () => MICROWAVE,
  'watering-can': () => WATERING_CAN,
  wheelbarrow: () => WHEELBARROW,
  easel: () => EASEL,
  lantern: () => LANTERN,
  torch: TORCH,
  birdhouse: () => BIRDHOUSE,
  bush: () => BUSH,
  starfish: () => STARFISH,
  net: () => NET,
  hoop: () => HOOP,
  pedestal: () => PEDESTAL,
  flowerpot: () => FLOWERPOT,
  'paper-plane': () => PAPER_PLANE,
  pizza: () => PIZZA,
};
