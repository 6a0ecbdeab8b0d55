/** Drawings of our own of what stands at a place, in the emoji's manner and 128 x 128 box: buildings, works, furniture. */

const STONES = (rows: readonly number[], from: number, to: number, step: number): string =>
  rows
    .flatMap((y, row) => {
      const marks = [];
      for (let x = from + (row % 2 ? step / 2 : 0); x < to - 4; x += step) marks.push(`M${x} ${y}v9`);
      return [`M${from} ${y}H${to}`, ...marks];
    })
    .join('');

const WELL = `
<path d="M24 8h8v72h-8zM96 8h8v72h-8z" fill="#7d5430"/><path d="M12 30L64 2l52 28v8H12z" fill="#a3593b"/><path d="M64 2l52 28v8H64z" fill="#844530"/>
<path d="M28 44h72v5H28z" fill="#6b4626"/><path d="M64 49v20" stroke="#cbb488" stroke-width="2.4"/><path d="M56 68h16l-2 14H58z" fill="#9b6a3c"/><path d="M56 68h16v3H56z" fill="#5d3d20"/>
<path d="M18 78h92l-6 46H24z" fill="#a9a199"/><path d="M82 78h28l-6 46H80z" fill="#8d857d"/><path d="${STONES([88, 98, 108, 118], 20, 108, 17)}" stroke="#6f675f" stroke-width="1.8" fill="none"/>
<ellipse cx="64" cy="79" rx="48" ry="9" fill="#c6beb4"/><ellipse cx="64" cy="79" rx="37" ry="6" fill="#2c3a44"/>`;

const AWNING = (x: number, y: number, w: number, colour: string): string => {
  const step = w / 8;
  return Array.from({ length: 8 }, (_, i) => {
    const at = x + i * step;
    return `<path d="M${at} ${y}h${step}v16a${step / 2} ${step / 2.4} 0 01-${step} 0z" fill="${i % 2 ? '#fbf4e6' : colour}"/>`;
  }).join('');
};

/** A stall with an awning and crates of fruit; a stand for lemonade has a jug instead. */
const STALL = (goods: string): string => `
<path d="M12 22h6v100h-6zM110 22h6v100h-6z" fill="#8f5a2c"/><path d="M10 72h108v52H10z" fill="#c98a4e"/><path d="M10 72h108v7H10z" fill="#e0a96a"/><path d="M10 98h108v2H10zM46 79h2v45h-2zM80 79h2v45h-2z" fill="#9d6934"/>
${goods}<path d="M14 6h100l10 16H4z" fill="#c2382f"/>${AWNING(4, 20, 120, '#d8463c')}`;
const FRUIT = [
  [22, '#e2483f'],
  [36, '#f0a23a'],
  [50, '#e2483f'],
  [64, '#7db548'],
  [78, '#f2cf45'],
  [92, '#7db548'],
  [106, '#f0a23a'],
]
  .map(
    ([x, colour]) =>
      `<circle cx="${x}" cy="66" r="8.5" fill="${colour}"/><circle cx="${Number(x) - 2.5}" cy="63" r="2" fill="#fff" opacity=".45"/>`,
  )
  .join('');
const LEMONADE = `
<path d="M34 42h26l-3 30H37z" fill="#f7e27a"/><path d="M34 42h26l-.6 6H34.600z" fill="#fff" opacity=".6"/><path d="M60 48c10 0 10 16-2 16" fill="none" stroke="#d9c75e" stroke-width="3"/>
<path d="M72 58h12l-1.500 14h-9zM90 58h12l-1.500 14h-9z" fill="#f9ea98"/><path d="M79 58l4-10M97 58l4-10" stroke="#e2483f" stroke-width="2"/><circle cx="64" cy="104" r="13" fill="#f2cf45"/><path d="M64 93v22M53 104h22M56 96l16 16M72 96l-16 16" stroke="#fff6c8" stroke-width="1.800"/>`;

const SHOP = `
<path d="M6 14h116v110H6z" fill="#d9b48a"/><path d="M6 14h116v6H6z" fill="#b98f62"/><path d="M96 20h26v104H96z" fill="#c49c70"/>
<path d="M16 24h96v14H16z" fill="#4f6b52"/><path d="M26 31h76" stroke="#f4ecd4" stroke-width="3.400" stroke-dasharray="9 4" stroke-linecap="round"/>
<path d="M14 60h56v50H14z" fill="#6b4626"/><path d="M18 64h48v42H18z" fill="#ffe3a2"/><path d="M42 64v42M18 84h48" stroke="#6b4626" stroke-width="2.400"/><path d="M22 100l16-32h8l-16 32z" fill="#fff" opacity=".5"/>
<path d="M78 58h34v66H78z" fill="#6b4626"/><path d="M83 63h24v30H83z" fill="#ffe3a2"/><circle cx="105" cy="100" r="2.400" fill="#f2c65a"/>
${AWNING(8, 40, 112, '#c2443a')}`;

const BARN = `
<path d="M14 54L64 14l50 40v70H14z" fill="#b8362c"/><path d="M92 36l22 18v70H92z" fill="#962a24"/><path d="M8 60L30 24 64 4l34 20 22 36-8 4-20-32-28-17-28 17-20 32z" fill="#5b4a44"/><path d="M64 4l34 20 22 36-8 4-20-32-28-17z" fill="#453733"/>
<path d="M40 76h48v48H40z" fill="#f4ede2"/><path d="M44 80h18v40H44zM66 80h18v40H66z" fill="#a52f27"/><path d="M44 80l18 40M62 80l-18 40M66 80l18 40M84 80l-18 40" stroke="#f4ede2" stroke-width="3"/>
<path d="M54 40h20v20H54z" fill="#f4ede2"/><path d="M57 43h14v14H57z" fill="#3b2a26"/><path d="M14 70h22M14 84h22M14 98h22M92 70h22M92 84h22M92 98h22" stroke="#8f241f" stroke-width="1.600"/>`;

/** A small wooden house on legs, for hens. */
const COOP = `
<path d="M22 110h7v16h-7zM99 110h7v16h-7z" fill="#6b4626"/><path d="M18 56h92v58H18z" fill="#c98a4e"/><path d="M84 56h26v58H84z" fill="#ad713a"/><path d="M18 70h92M18 84h92M18 98h92" stroke="#9d6934" stroke-width="1.600"/>
<path d="M64 16L6 56l6 8 52-36 52 36 6-8z" fill="#a3593b"/><path d="M64 28L18 60h92z" fill="#dba566"/><path d="M64 16l58 40-6 8-52-36z" fill="#844530"/>
<path d="M46 78a11 11 0 0122 0v36H46z" fill="#3b2a20"/><path d="M50 112h14l10 14H58z" fill="#8f5a2c"/><path d="M80 74h18v14H80z" fill="#3b2a20"/><path d="M89 74v14M80 81h18" stroke="#e0b07a" stroke-width="2"/>`;

const KENNEL = `
<path d="M20 58h88v66H20z" fill="#c98a4e"/><path d="M84 58h24v66H84z" fill="#ad713a"/><path d="M64 12L4 58l7 9 53-40 53 40 7-9z" fill="#c2443a"/><path d="M64 27L20 60h88z" fill="#dba566"/><path d="M64 12l60 46-7 9-53-40z" fill="#9d332b"/>
<path d="M44 124V92a20 20 0 0140 0v32z" fill="#3b2a20"/><path d="M50 62h28v8H50z" fill="#f4ecd8"/><path d="M20 80h22M20 98h22M86 80h22M86 98h22" stroke="#9d6934" stroke-width="1.600"/>`;

const FRIDGE = `
<path d="M32 4h64a6 6 0 016 6v108a6 6 0 01-6 6H32a6 6 0 01-6-6V10a6 6 0 016-6z" fill="#4f8fc8"/><path d="M84 4h12a6 6 0 016 6v108a6 6 0 01-6 6H84z" fill="#3c76aa"/><path d="M26 46h76v4H26z" fill="#2c5a86"/>
<path d="M34 20h5v18h-5zM34 58h5v26h-5z" fill="#e6eef4"/><path d="M46 10h30v3H46z" fill="#9cc8ec"/><path d="M30 124h12v3H30zM86 124h12v3H86z" fill="#2f363d"/><path d="M58 64h18v14H58z" fill="#fbf6e8"/><circle cx="67" cy="64" r="2.400" fill="#e2483f"/>`;

const STOVE = `
<path d="M20 30h88v92H20z" fill="#d5dbe2"/><path d="M90 30h18v92H90z" fill="#b4bcc6"/><path d="M16 24h96v10H16z" fill="#3a4148"/><path d="M26 40h64" stroke="#8d97a2" stroke-width="2"/><circle cx="34" cy="46" r="5" fill="#4a525a"/><circle cx="52" cy="46" r="5" fill="#4a525a"/><circle cx="70" cy="46" r="5" fill="#4a525a"/><circle cx="88" cy="46" r="5" fill="#c2443a"/>
<path d="M28 58h68v50H28z" fill="#5b646e"/><path d="M34 70h56v32H34z" fill="#2b3036"/><path d="M40 98l16-26h8L48 98z" fill="#fff" opacity=".18"/><path d="M36 62h52v4H36z" fill="#e6ebf0"/><path d="M26 122h12v4H26zM90 122h12v4H90z" fill="#3a4148"/>`;

const WASHER = `
<path d="M22 10h84a5 5 0 015 5v104a5 5 0 01-5 5H22a5 5 0 01-5-5V15a5 5 0 015-5z" fill="#e8edf2"/><path d="M92 10h14a5 5 0 015 5v104a5 5 0 01-5 5H92z" fill="#c6ced8"/><path d="M17 32h94v3H17z" fill="#a9b3be"/><path d="M26 16h24v10H26z" fill="#aab6c4"/><circle cx="78" cy="21" r="6" fill="#7f8b98"/><circle cx="96" cy="21" r="4" fill="#3fae5a"/>
<circle cx="64" cy="78" r="33" fill="#9aa5b1"/><circle cx="64" cy="78" r="27" fill="#2f4a66"/><path d="M38 82c10-7 16 5 26 0s16-6 27 0a27 27 0 01-53 0z" fill="#6fb2e0"/><path d="M46 66c4-8 10-12 18-12" stroke="#fff" stroke-width="4" opacity=".5" fill="none" stroke-linecap="round"/>`;

const GRILL = `
<path d="M40 78L28 124M88 78l12 46M64 84v34" stroke="#4a525a" stroke-width="5" stroke-linecap="round"/><path d="M14 50h100c0 24-20 38-50 38S14 74 14 50z" fill="#c2382f"/><path d="M84 50h30c0 20-14 32-36 36 8-10 8-26 6-36z" fill="#96281f"/>
<path d="M8 44h112v7H8z" fill="#3a4148"/><path d="M30 38h22a6 6 0 010 8H30a6 6 0 010-8z" fill="#9b4a2c"/><path d="M60 36h16a8 8 0 010 10H60a8 8 0 010-10z" fill="#7a3a22"/><path d="M86 38h18a6 6 0 010 8H86a6 6 0 010-8z" fill="#b5552e"/>
<path d="M40 30c-6-8 6-12 0-20M66 28c-6-8 6-12 0-20M92 30c-6-8 6-12 0-20" stroke="#dfe5ea" stroke-width="4" fill="none" stroke-linecap="round" opacity=".75"/><circle cx="28" cy="120" r="6" fill="#2f363d"/><circle cx="100" cy="120" r="6" fill="#2f363d"/>`;

const ARMCHAIR = `
<path d="M24 112h9v13h-9zM95 112h9v13h-9z" fill="#5d3d20"/><path d="M34 18c0-10 60-10 60 0l6 66H28z" fill="#c2443a"/><path d="M78 12c10 1 16 3 16 6l6 66H82z" fill="#9d332b"/><path d="M34 76h60v28H34z" fill="#d65a4c"/><path d="M34 76h60v8H34z" fill="#e6796a"/>
<path d="M8 62c0-12 24-12 26 0v54H16c-5 0-8-4-8-9zM120 62c0-12-24-12-26 0v54h18c5 0 8-4 8-9z" fill="#c2443a"/><path d="M94 62c2-12 26-12 26 0v45c0 5-3 9-8 9h-6V64c0-6-8-8-12-2z" fill="#9d332b"/><path d="M34 104h60v12H34z" fill="#9d332b"/><circle cx="52" cy="36" r="2.400" fill="#8a2a24"/><circle cx="76" cy="36" r="2.400" fill="#8a2a24"/><circle cx="64" cy="54" r="2.400" fill="#8a2a24"/>`;

const ROCKER = `
<path d="M10 108c28 20 80 20 108-2" fill="none" stroke="#7a4a24" stroke-width="7" stroke-linecap="round"/><path d="M36 8l8 74M88 8l6 74" stroke="#a86c38" stroke-width="7" stroke-linecap="round"/><path d="M38 14h50v8H39zM42 62h50v6H43z" fill="#8f5a2c"/><path d="M52 22l4 40M64 22l2 40M76 22l1 40" stroke="#c98a4e" stroke-width="5"/>
<path d="M34 76h66l6 12H30z" fill="#c98a4e"/><path d="M30 88h76v6H30z" fill="#8f5a2c"/><path d="M38 94l-6 22M98 94l6 20" stroke="#8f5a2c" stroke-width="7" stroke-linecap="round"/><path d="M24 56h22M92 56h22" stroke="#a86c38" stroke-width="7" stroke-linecap="round"/><path d="M28 58l2 22M108 58l-4 22" stroke="#8f5a2c" stroke-width="5"/>`;

const CHECKS = [0, 1, 2, 3, 4, 5]
  .flatMap((row) => [0, 1, 2, 3, 4].map((i) => [row, i] as const))
  .filter(([row, i]) => (row + i) % 2 === 0)
  .map(([row, i]) => {
    const at = (n: number, r: number) => 64 + (n - 2.5) * (18 + r * 1.15);
    const y = 84 + row * 6.6;
    return `M${at(i, row)} ${y}H${at(i + 1, row)}L${at(i + 1, row + 1)} ${y + 6.6}H${at(i, row + 1)}z`;
  })
  .join('');
const PICNIC = (emoji: (name: string) => string): string => `
<path d="M19 84h90l17 40H2z" fill="#f8efe2"/><path d="${CHECKS}" fill="#d8463c"/><g transform="translate(14 42) scale(.46)">${emoji('basket')}</g><g transform="translate(72 66) scale(.26)">${emoji('sandwich')}</g><g transform="translate(92 76) scale(.22)">${emoji('red-apple')}</g>`;

/** Two towers, cables and a deck. */
const SUSPENSION = `
<path d="M30 8h8v112h-8zM90 8h8v112h-8z" fill="#c8452f"/><path d="M34 8h4v112h-4zM94 8h4v112h-4z" fill="#a03523"/><path d="M26 24h16v5H26zM26 46h16v5H26zM86 24h16v5H86zM86 46h16v5H86z" fill="#d8573f"/>
<path d="M0 66C14 50 26 30 34 10C46 62 82 62 94 10c8 20 20 40 34 56" fill="none" stroke="#c8452f" stroke-width="3"/><path d="${[6, 14, 22, 44, 52, 60, 68, 76, 84, 106, 114, 122].map((x) => `M${x} 78V${x < 30 ? 66 - x * 1.6 : x > 98 ? 66 - (128 - x) * 1.6 : 52 - ((x - 64) / 22) ** 2 * 18}`).join('')}" stroke="#b8604e" stroke-width="1.300"/>
<path d="M0 76h128v9H0z" fill="#c8452f"/><path d="M0 82h128v5H0z" fill="#963122"/><path d="M26 116h16v10H26zM86 116h16v10H86z" fill="#8f8a84"/>`;

const WATERFALL = `
<path d="M2 126V40l10-22 18-8 14 6 14-8 20 4 12-6 18 10 14 24 4 86z" fill="#7d7469"/><path d="M84 6l6-2 18 10 14 24 4 88H92z" fill="#635b52"/><path d="M2 126V40l10-22 10-5-6 30 8 24-8 30 4 29z" fill="#948a7d"/>
<path d="M12 18l18-8 14 6 14-8 20 4 12-6 18 10 6 10c-12-6-18 2-28-2-12 6-20-4-30 2-12-4-22 6-38 0z" fill="#6f9a4a"/><path d="M40 20c12-4 32-4 46 0 2 36-6 58 8 106H32c14-40 4-70 8-106z" fill="#8fd0ee"/><path d="M46 20c4 34-4 70-6 106h8c4-40 2-72 6-106zM66 19c-2 40 4 70 2 107h8c0-40-4-70-2-106z" fill="#d8f1fc"/><path d="M58 20c2 40-2 70 0 106h3c1-40-1-70 1-106zM82 21c0 30-4 60 6 105h3c-8-44-4-76-5-105z" fill="#bfe6f8"/>
<path d="M16 126c2-14 14-16 20-10 4-10 16-10 22-2 6-8 18-8 24 0 8-8 20-4 24 12z" fill="#eefaff" opacity=".92"/>`;

const TUNNEL = `
<path d="M0 126C2 64 22 26 64 22s62 42 64 104z" fill="#6f8a4c"/><path d="M64 22c42 4 62 42 64 104H96c0-50-10-84-32-104z" fill="#587038"/><path d="M20 126V84a44 44 0 0188 0v42z" fill="#b5aba0"/><path d="M34 126V86a30 30 0 0160 0v40z" fill="#1d1f24"/><path d="M42 126V90a22 22 0 0122-22 22 22 0 0122 22v36z" fill="#101216"/>
<path d="M22 92l12 2M26 70l12 8M40 52l8 12M58 42l3 14M75 43l-4 13M90 53l-9 11M102 70l-12 8M106 92l-12 2M20 110h14M94 110h14" stroke="#8a8076" stroke-width="2.400"/><path d="M56 126l4-30M72 126l-4-30" stroke="#8f98a3" stroke-width="2"/><path d="M50 120h28M54 110h20M57 102h14" stroke="#5a4632" stroke-width="3"/>`;

const WALL = `
<path d="M0 62h128v64H0z" fill="#a9a199"/><path d="${STONES([62, 73, 84, 95, 106, 117], 0, 128, 21)}" stroke="#7d756c" stroke-width="2" fill="none"/><path d="M0 54h128v10H0z" fill="#c6beb4"/><path d="M0 62h128v3H0z" fill="#8d857d"/><path d="M4 76h12v6H4zM48 87h14v6H48zM92 98h13v6H92zM70 65h12v6H70z" fill="#bab1a7"/>`;
const BRICKS = WALL.replaceAll('#a9a199', '#b5563f').replaceAll('#7d756c', '#d8c0ae').replaceAll('#bab1a7', '#c76c52');

const HEN = `
<path d="M54 102v20M70 102v20M46 124h14M62 124h14" stroke="#e29a2e" stroke-width="4.500" stroke-linecap="round" fill="none"/><path d="M20 52c14 10 22 10 34 8 8-26 22-34 38-30 10 3 14 14 10 26 10 26-10 50-44 50C32 106 14 86 20 52z" fill="#c9793a"/><path d="M20 52c14 10 22 10 34 8-6 20 2 34 18 44-30 8-60-12-52-52z" fill="#a85f2a"/><path d="M44 70c12-2 26 4 30 18-12 8-32 2-30-18z" fill="#8f4d20"/>
<path d="M78 32c-4-12 2-16 7-10 1-10 10-10 11 0 6-5 11 2 6 12z" fill="#d8342f"/><path d="M104 46l18 4-17 9z" fill="#f0b03a"/><path d="M98 58c8 2 9 14 2 18-6-4-6-12-2-18z" fill="#d8342f"/><circle cx="94" cy="45" r="4" fill="#2b2320"/><circle cx="95.500" cy="43.500" r="1.400" fill="#fff"/><path d="M20 52c-10-2-14-12-10-20 4 8 8 10 14 10-4-8-2-14 4-18 0 12 8 20 14 30z" fill="#8f4d20"/>`;

const LAMPPOST = `
<path d="M61 40h6v78h-6z" fill="#3a4148"/><path d="M50 118h28v7H50zM55 110h18v8H55z" fill="#2f363d"/><path d="M46 46h36v5H46z" fill="#2f363d"/><path d="M48 16h32l-5 32H53z" fill="#fff0bd"/><path d="M48 16h32l-5 32h-7l2-32z" fill="#f6d98a"/><path d="M48 16h32l-5 32H53z" fill="none" stroke="#3a4148" stroke-width="2.600"/><path d="M44 16L64 2l20 14z" fill="#3a4148"/><circle cx="64" cy="3" r="3" fill="#3a4148"/>`;

const SCARECROW = `
<path d="M61 52h6v74h-6zM14 58h100v6H14z" fill="#8f5a2c"/><path d="M40 52h48l6 44H34z" fill="#4a78b8"/><path d="M76 52h12l6 44H78z" fill="#3a6198"/><path d="M16 52h26v18H18zM86 52h26l-2 18H86z" fill="#4a78b8"/><path d="M50 66h12v12H50z" fill="#e2a53c"/><path d="M72 78h12v12H72z" fill="#c2443a"/>
<path d="M4 54l14 4-14 4 16 4M124 54l-14 4 14 4-16 4M36 96l-4 16 8-12 4 14 6-14M92 96l4 16-8-12-4 14-6-14" stroke="#e8c65a" stroke-width="3" fill="none"/><circle cx="64" cy="36" r="18" fill="#ecd2a0"/><path d="M54 34l6 0M68 34l6 0M57 31v6M71 31v6" stroke="#4a3a2a" stroke-width="2.400"/><path d="M56 44c5 4 11 4 16 0" stroke="#4a3a2a" stroke-width="2.200" fill="none"/><path d="M36 26c10-8 46-8 56 0l-8 2H44zM46 22l6-18 18-2 10 20z" fill="#b98a4a"/>`;

const IGLOO = `
<path d="M4 120C4 66 30 34 64 34s60 32 60 86z" fill="#e6f1fa"/><path d="M84 40c26 10 40 42 40 80H98c2-34-2-60-14-80z" fill="#c3d8ea"/><path d="M8 100h112M14 78h100M28 56h72M40 34v22M64 34v22M88 38v18M30 56v22M52 56v22M78 56v22M100 58v20M20 78v22M106 78v22" stroke="#a3bfd6" stroke-width="2" fill="none"/><path d="M40 122V98a24 24 0 0148 0v24z" fill="#d3e4f2"/><path d="M48 122V100a16 16 0 0132 0v22z" fill="#27384a"/>`;

const TRAMPOLINE = `
<path d="M18 92l-6 32M110 92l6 32M46 100l-4 26M82 100l4 26" stroke="#4a525a" stroke-width="5" stroke-linecap="round"/><ellipse cx="64" cy="88" rx="60" ry="16" fill="#2f78c4"/><ellipse cx="64" cy="86" rx="50" ry="11.500" fill="#23272e"/><path d="M6 84c10-14 106-14 116 0" fill="none" stroke="#63a4e4" stroke-width="3"/>`;

const BLACKBOARD = `
<path d="M34 96l-10 30M94 96l10 30" stroke="#8f5a2c" stroke-width="6" stroke-linecap="round"/><path d="M4 16h120v84H4z" fill="#9b6a3c"/><path d="M10 22h108v72H10z" fill="#2f5a48"/><path d="M86 22h32v72H70z" fill="#27493b"/><path d="M4 98h120v6H4z" fill="#c98a4e"/>
<path d="M22 40h34M22 52h48M22 64h26M76 46l8 10 14-20M74 74h30" stroke="#e6efe8" stroke-width="3" fill="none" stroke-linecap="round" opacity=".85"/><path d="M30 95h14v4H30zM54 95h9v4h-9z" fill="#fff"/>`;

const BONES = 'M64 52v34M64 86l-10 18-2 20M64 86l10 18 2 20M46 58l-14 16-4 18M82 58l14 16 4 18M46 122h8M74 122h8';
const RIBS = 'M50 58c8-4 20-4 28 0M49 66c8-4 22-4 30 0M51 74c8-4 18-4 26 0';
const SKELETON = (emoji: (name: string) => string): string => `
<path d="${BONES}" fill="none" stroke="#b4adc2" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/><path d="${RIBS}" fill="none" stroke="#b4adc2" stroke-width="6.500" stroke-linecap="round"/><path d="M52 86c6-5 18-5 24 0l-5 9H57z" fill="#b4adc2"/>
<path d="${BONES}" fill="none" stroke="#f3f0f8" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/><path d="${RIBS}" fill="none" stroke="#f3f0f8" stroke-width="4" stroke-linecap="round"/><path d="M54 87c5-4 15-4 20 0l-4 7H58z" fill="#f3f0f8"/><circle cx="28" cy="93" r="4.500" fill="#f3f0f8"/><circle cx="100" cy="93" r="4.500" fill="#f3f0f8"/>
<g transform="translate(35 -4) scale(.45)">${emoji('skull')}</g>`;

const SUBMARINE = `
<path d="M16 82c0-20 22-30 54-30 28 0 46 12 46 30s-18 30-46 30c-32 0-54-10-54-30z" fill="#f2b632"/><path d="M18 90c6 14 26 22 52 22 28 0 46-12 46-30 0-4-1-8-3-11-4 16-24 25-49 25-19 0-37-2-46-6z" fill="#cf8a1e"/>
<path d="M52 54V32h34v22z" fill="#f2b632"/><path d="M74 32h12v22H74z" fill="#cf8a1e"/><path d="M48 30h42v6H48z" fill="#b5561e"/><path d="M62 30V12h14v6h-8v12z" fill="#7d8792"/><path d="M68 12h10v7H68z" fill="#4a525a"/>
<path d="M112 76l14-14v40l-14-12z" fill="#b5561e"/><path d="M122 70l4-6v36l-4-6z" fill="#8f3f14"/>${[36, 60, 84].map((x) => `<circle cx="${x}" cy="80" r="10" fill="#b5561e"/><circle cx="${x}" cy="80" r="7" fill="#9fdcf5"/><path d="M${x - 4} 77c1-3 3-4 6-4" stroke="#fff" stroke-width="2.200" fill="none" stroke-linecap="round"/>`).join('')}`;

const PANES = (x: number, y: number, w: number, h: number, columns: number): string =>
  Array.from({ length: columns - 1 }, (_, i) => `M${x + ((i + 1) * w) / columns} ${y}v${h}`).join('');
const AIRPORT = `
<path d="M92 26h14l3 98H89z" fill="#cfd6dd"/><path d="M100 26h6l3 98h-9z" fill="#aab4be"/><path d="M82 10h34l-5 18H87z" fill="#3f6f92"/><path d="M84 14h30l-2 7H86z" fill="#9fdcf5"/><path d="M80 6h38v5H80zM86 28h26v4H86z" fill="#7d8792"/><path d="M99 0h2v6h-2z" fill="#c2443a"/>
<path d="M2 74c24-16 58-16 84-4v54H2z" fill="#e6ebf0"/><path d="M2 74c24-16 58-16 84-4v6C60 64 26 66 2 81z" fill="#7d8792"/><path d="M8 86c22-9 48-10 72-4v34H8z" fill="#5f9cc0"/><path d="${PANES(8, 80, 72, 38, 7)}M8 100h72" stroke="#e6ebf0" stroke-width="2.200" fill="none"/><path d="M8 116l24-34h12l-24 34z" fill="#fff" opacity=".28"/><path d="M34 104h20v20H34z" fill="#2f4a66"/><path d="M44 104v20" stroke="#e6ebf0" stroke-width="1.600"/>
<path d="M28 56h32v13c-10-2-22-2-32 0z" fill="#2a5d9a"/><path d="M36 63l16-4-5 6 3 2-4 1-4-1z" fill="#fff"/><path d="M0 120h128v6H0z" fill="#8d97a2"/>`;

const STATION = `
<path d="M4 62h120v62H4z" fill="#c9835f"/><path d="M96 62h28v62H96z" fill="#a8664a"/><path d="M0 54h128v9H0z" fill="#efe4d2"/><path d="M30 54C30 14 98 14 98 54z" fill="#efe4d2"/><path d="M37 54C39 24 89 24 91 54z" fill="#6fa3bf"/><path d="M64 32v22M50 36v18M78 36v18" stroke="#efe4d2" stroke-width="2.600"/>
<circle cx="64" cy="20" r="13" fill="#5a4632"/><circle cx="64" cy="20" r="10" fill="#fbf6e8"/><path d="M64 20v-7M64 20l5 3" stroke="#2c2c34" stroke-width="2.200" stroke-linecap="round"/>
<path d="${[10, 28, 86, 104].map((x) => `M${x} 106V80a7 7 0 0114 0v26z`).join('')}" fill="#5d4a42"/><path d="${[10, 28, 86, 104].map((x) => `M${x + 2} 104V80a5 5 0 0110 0v24z`).join('')}" fill="#ffe3a2"/><path d="M48 124V84a16 16 0 0132 0v40z" fill="#4a3a34"/><path d="M52 124V86a12 12 0 0124 0v38z" fill="#2b2320"/><path d="M0 120h128v7H0z" fill="#8d8780"/>`;

const FUJI = `
<path d="M2 124C26 110 42 66 52 24c6-3 18-3 24 0 10 42 26 86 50 100z" fill="#5f78a8"/><path d="M76 24c10 42 26 86 50 100H84c-4-40-8-70-14-101 2 0 4 0 6 1z" fill="#4a6190"/>
<path d="M42 62c4-12 7-25 10-38 6-3 18-3 24 0 3 13 6 26 10 38l-8-8-5 12-7-14-5 18-7-16-5 12z" fill="#f6f9fd"/><path d="M76 24c3 13 6 26 10 38l-8-8-5 12-3-6c2-13 1-25 0-37 2 0 4 0 6 1z" fill="#d3deee"/>`;

/** Seen from a little above: flat, with the sky in it. */
const PUDDLE = `
<path d="M4 66c0-12 22-10 34-15 18-8 40-4 52 2 14 2 34 2 34 14 0 14-30 17-60 17S4 80 4 66z" fill="#4f7f9f"/><path d="M10 66c2-8 22-8 32-12 16-6 34-3 45 2 12 2 30 2 31 11 0 9-26 13-54 13S10 76 10 66z" fill="#7fb4d6"/><path d="M24 68c6-5 20-6 34-6M66 72c14 2 26 0 36-4" stroke="#d8f0fc" stroke-width="2.600" fill="none" stroke-linecap="round"/>`;

const COFFEE_MACHINE = `
<path d="M18 12h92a6 6 0 016 6v24H12V18a6 6 0 016-6z" fill="#c2382f"/><path d="M92 12h18a6 6 0 016 6v24H92z" fill="#96281f"/><path d="M22 42h84v62H22z" fill="#3a4148"/><path d="M88 42h18v62H88z" fill="#2b3036"/><path d="M10 104h108v18a4 4 0 01-4 4H14a4 4 0 01-4-4z" fill="#b4bcc6"/><path d="M92 104h26v18a4 4 0 01-4 4H92z" fill="#8d97a2"/><path d="M22 104h84v5H22z" fill="#5b646e"/>
<path d="M46 42h36v10H46z" fill="#d5dbe2"/><path d="M52 52h24l-4 9H56z" fill="#8d97a2"/><path d="M76 53h28v6H76z" fill="#6b4626"/><path d="M60 62v16M68 62v16" stroke="#7a4a24" stroke-width="3" stroke-linecap="round"/><path d="M50 80h28l-4 22H54z" fill="#fbf6ee"/><path d="M68 80h10l-4 22h-8z" fill="#ddd3c4"/><path d="M78 84c8 0 8 12-2 12" stroke="#fbf6ee" stroke-width="3.200" fill="none"/><path d="M52 82h24l-1 4H53z" fill="#6b4120"/>
<circle cx="30" cy="27" r="7" fill="#fbf6e8"/><path d="M30 27l3-4" stroke="#c2382f" stroke-width="2"/><circle cx="84" cy="27" r="4" fill="#3fae5a"/><circle cx="98" cy="27" r="4" fill="#f2c65a"/><path d="M44 24h30v6H44z" fill="#f2dcc8" opacity=".85"/>`;

const BEEHIVE = `
<path d="M20 108h88v8H20z" fill="#8f5a2c"/><path d="M30 116h8v10h-8zM90 116h8v10h-8z" fill="#6b4120"/><path d="M50 10c2-8 26-8 28 0 12 4 14 14 12 18 12 4 14 18 10 24 10 6 10 22 4 26 6 8 4 30-6 30H30c-10 0-12-22-6-30-6-4-6-20 4-26-4-6-2-20 10-24-2-4 0-14 12-18z" fill="#e8b04a"/><path d="M78 10c12 4 14 14 12 18 12 4 14 18 10 24 10 6 10 22 4 26 6 8 4 30-6 30H80c8-20 10-70-2-98z" fill="#c98a2c"/>
<path d="M40 29h49M28 53h72M24 79h80" stroke="#a86c1e" stroke-width="3" stroke-linecap="round"/><path d="M54 108V94a10 10 0 0120 0v14z" fill="#4a2f14"/><path d="M96 40l8-3M18 66l-8-4" stroke="#3a2a18" stroke-width="2.400"/><ellipse cx="108" cy="36" rx="6" ry="4.500" fill="#f2c230"/><ellipse cx="12" cy="60" rx="6" ry="4.500" fill="#f2c230"/><path d="M107 32v8M111 33v6M11 56v8M15 57v6" stroke="#3a2a18" stroke-width="2"/>`;

/** Out of a trunk at the edge: birds sit on it. */
const BRANCH = `
<path d="M126 0v126H104c6-30 4-60 0-84-30 6-60 8-100 12l-2-6c38-6 70-12 100-20-4-12-6-20-8-28z" fill="#7a5236"/><path d="M126 0v126h-10c6-40 4-84-2-126z" fill="#5d3c26"/><path d="M4 48c38-6 70-12 100-20l2 5C74 42 42 48 4 52z" fill="#95684a"/><path d="M52 44L36 28M74 40L66 60" stroke="#7a5236" stroke-width="4" stroke-linecap="round"/>
<path d="M36 28c-14-2-18-12-16-18 12-2 18 8 16 18zM36 28c-2-12 6-18 14-18 2 10-4 18-14 18zM66 60c-12 2-16 12-12 20 10 0 14-10 12-20zM66 60c6-2 16 2 18 12-10 4-18-2-18-12zM4 50c-2-10 4-16 12-16 2 8-4 16-12 16z" fill="#6f9a4a"/>`;

const ICEBERG = `
<path d="M2 116l12-34 14-10 10-34 18-26 12 12 8-8 18 36 6 24 14 10 12 30z" fill="#eaf5fc"/><path d="M56 12l12 12 8-8 18 36 6 24 14 10 12 30H74l-8-34 8-26-10-24z" fill="#bcd9ec"/><path d="M28 72l10-34 18-26 8 20-12 26-6 22zM14 82l14-10 18 8-10 36H2z" fill="#f8fcff"/><path d="M2 116h124c-6 8-22 10-62 10S8 124 2 116z" fill="#8fc0de"/><path d="M52 58l-6 22-10 36M64 32l10 24-8 26 8 34M94 52l-8 22 14 2" fill="none" stroke="#9cc4de" stroke-width="1.800"/>`;

/** A glass globe of water, and a goldfish in it. */
const FISHBOWL = `
<path d="M40 18h48v10c20 10 32 28 32 48 0 30-24 48-56 48S8 106 8 76c0-20 12-38 32-48z" fill="#dff2fb"/><path d="M14 60h100c4 6 6 11 6 16 0 30-24 48-56 48S8 106 8 76c0-5 2-10 6-16z" fill="#7cc4e8"/><path d="M14 60h100c-10 6-90 6-100 0z" fill="#a9ddf5"/><path d="M22 104c20-8 64-8 84 0-10 14-24 20-42 20s-32-6-42-20z" fill="#e2c489"/><path d="M96 116c-6-20-2-34-8-46M86 118c2-14-6-22-2-36" stroke="#4f9a5a" stroke-width="4" fill="none" stroke-linecap="round"/>
<g transform="translate(30 60) scale(.38)"><path d="M8 64C30 24 84 22 104 60l24-22c-6 20-6 34 0 54l-24-22C84 106 30 104 8 64z" fill="#f58a2b"/><path d="M8 64c22 26 74 32 96 8-20 34-74 32-96-8z" fill="#d96a14"/><circle cx="36" cy="56" r="7" fill="#23272e"/><circle cx="38" cy="54" r="2.500" fill="#fff"/></g>
<path d="M36 14h56v8H36z" fill="#eef8fd"/><path d="M22 66c2-14 10-24 20-30" stroke="#fff" stroke-width="5" fill="none" stroke-linecap="round" opacity=".8"/>`;

const PERFUME = `
<path d="M26 58c0-8 6-12 14-12h48c8 0 14 4 14 12v56a10 10 0 01-10 10H36a10 10 0 01-10-10z" fill="#f3b6c8"/><path d="M84 46h4c8 0 14 4 14 12v56a10 10 0 01-10 10h-8c8 0 10-5 10-11V58c0-8-4-12-10-12z" fill="#d98aa4"/><path d="M34 72h60v38a8 8 0 01-8 8H42a8 8 0 01-8-8z" fill="#e8789c" opacity=".75"/>
<path d="M52 34h24v12H52z" fill="#d8b24a"/><path d="M46 6h36v28H46z" fill="#f2d27a"/><path d="M70 6h12v28H70z" fill="#c99a34"/><path d="M46 80h36v22H46z" fill="#fdf6ee"/><path d="M53 88h22M57 95h14" stroke="#c98a9c" stroke-width="2.600" stroke-linecap="round"/><path d="M34 60c0-4 3-6 7-6M34 68v26" stroke="#fff" stroke-width="4" fill="none" stroke-linecap="round" opacity=".8"/>`;

/** By name, without the `own:` of the noun list. */
export const SITES: Readonly<Record<string, (emoji: (name: string) => string) => string>> = {
  submarine: () => SUBMARINE,
  airport: () => AIRPORT,
  station: () => STATION,
  fuji: () => FUJI,
  puddle: () => PUDDLE,
  'coffee-machine': () => COFFEE_MACHINE,
  perfume: () => PERFUME,
  fishbowl: () => FISHBOWL,
  beehive: () => BEEHIVE,
  branch: () => BRANCH,
  iceberg: () => ICEBERG,
  blackboard: () => BLACKBOARD,
  skeleton: SKELETON,
  well: () => WELL,
  stall: () => STALL(FRUIT),
  'lemonade-stand': () => STALL(LEMONADE),
  shop: () => SHOP,
  barn: () => BARN,
  coop: () => COOP,
  kennel: () => KENNEL,
  fridge: () => FRIDGE,
  stove: () => STOVE,
  washer: () => WASHER,
  grill: () => GRILL,
  armchair: () => ARMCHAIR,
  'rocking-chair': () => ROCKER,
  picnic: PICNIC,
  suspension: () => SUSPENSION,
  waterfall: () => WATERFALL,
  tunnel: () => TUNNEL,
  wall: () => WALL,
  'brick-wall': () => BRICKS,
  hen: () => HEN,
  lamppost: () => LAMPPOST,
  scarecrow: () => SCARECROW,
  igloo: () => IGLOO,
  trampoline: () => TRAMPOLINE,
};
