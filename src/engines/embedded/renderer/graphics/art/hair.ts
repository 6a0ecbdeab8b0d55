/** How hair is worn: whose hair of the art, and what of our own is added. Units of the art; colours by `tinted`. */

/** One way to wear hair. */
export interface HairStyle {
  /** The head of the art whose hair, skull and ears are taken. */
  head: string;
  /** Only this of its layers; absent: both. */
  only?: 'front' | 'behind';
  /** Our own pieces behind and over the head, in shades of a mean of '#e8c890'. */
  behind?: string;
  over?: string;
}

const SHADES = `<defs>
<linearGradient id="h" x1="26" x2="6" y1="4" y2="34" gradientUnits="userSpaceOnUse"><stop stop-color="#fff3c4"/><stop offset=".45" stop-color="#eccb92"/><stop offset="1" stop-color="#c98f72"/></linearGradient>
<radialGradient id="r" cx=".68" cy=".28" r=".85"><stop stop-color="#fff8d0"/><stop offset=".5" stop-color="#eccb92"/><stop offset="1" stop-color="#c68d70"/></radialGradient>
</defs>`;
const hair = (paths: string) => `<g fill="none">${paths}</g>${SHADES}`;

const LONG = hair(
  '<path fill="url(#h)" d="M16 1.6C6.6 1.6 3.1 8.2 3 16.4c-.1 7.200-.5 12-1.300 16.900c-.3 1.900 1 3.200 2.900 3.300c3.900.2 7.200.1 9-.5h5c1.800.6 5.100.7 9 .5c1.900-.1 3.200-1.400 2.900-3.300c-.8-4.900-1.200-9.700-1.300-16.900C29.100 8.200 25.500 1.600 16 1.600"/>',
);
const TAIL = hair(
  '<path fill="url(#h)" d="M22.500 4.200c4.600-2.400 10-.3 11.200 4.600c1 4.100-.6 7.600-.2 11.500c.3 3.200 1.300 5 .6 7.100c-.6 1.700-2.900 1.900-4.200.4c-3.100-3.700-2.500-8.200-2.900-12.100c-.3-3-2-4.800-4.500-6.400z"/>',
);
const TOPKNOT = hair(
  '<path fill="url(#r)" d="M16 3.800c3.700 0 5.800-1.700 5.800-4.300S19.300-5 16-5s-5.800 1.900-5.800 4.500s2.100 4.300 5.800 4.300"/>',
);
const BUNS = hair(
  '<circle fill="url(#r)" cx="7" cy="1.600" r="4.700"/><circle fill="url(#r)" cx="25.200" cy="1.600" r="4.700"/>',
);
const MOHAWK = hair(
  '<path fill="url(#r)" d="M12.300 8.800c-.6-3.500-.5-7.500.6-10.300c.3-.8 1.300-.7 1.600 0l.5 1.300l.8-2.600c.2-.7 1.200-.7 1.500 0l.8 2.400l1-1.200c.4-.6 1.300-.4 1.500.3c.8 3 .4 7-.8 10.100c-.3.800-1.200 1.300-2 1.300h-3.600c-.9 0-1.700-.500-1.900-1.300"/>',
);
const BUZZ = hair(
  '<path fill="url(#h)" fill-opacity=".82" d="M5.900 15.300c-.6-6.600 2.400-11.100 10.100-11.100s10.700 4.500 10.100 11.100c-.7-1.200-1-2.700-1.200-4.200c-.2-1.700-1.100-2.700-2.600-2.900c-4.200-.5-8.400-.5-12.600 0c-1.500.2-2.400 1.200-2.600 2.900c-.2 1.500-.5 3-1.200 4.200"/>',
);
const PLAITS = hair(
  [-1, 1]
    .flatMap((side) =>
      [0, 1, 2, 3].map(
        (i) =>
          `<ellipse fill="url(#r)" cx="${16.1 + side * (12.2 - i * 0.25)}" cy="${21 + i * 4.1}" rx="${2.9 - i * 0.22}" ry="2.7"/>`,
      ),
    )
    .join(''),
);

/** By the name that a look gives. */
export const HAIR: Readonly<Record<string, HairStyle>> = {
  'bald-man': { head: 'bald-man' },
  'bald-woman': { head: 'bald-woman' },
  buzz: { head: 'bald-man', over: BUZZ },
  'buzz-woman': { head: 'bald-woman', over: BUZZ },
  balding: { head: 'old-man' },
  short: { head: 'man' },
  quiff: { head: 'person' },
  tousled: { head: 'boy' },
  older: { head: 'older' },
  bob: { head: 'child' },
  wavy: { head: 'woman' },
  straight: { head: 'girl', only: 'front', behind: LONG },
  ponytail: { head: 'girl', only: 'front', behind: TAIL },
  pigtails: { head: 'girl' },
  plaits: { head: 'girl', only: 'front', behind: PLAITS },
  bun: { head: 'old-woman' },
  buns: { head: 'girl', only: 'front', behind: BUNS },
  topknot: { head: 'man', behind: TOPKNOT },
  'curly-short': { head: 'curly-man' },
  'curly-long': { head: 'curly-woman' },
  mohawk: { head: 'bald-man', over: MOHAWK },
  tuft: { head: 'baby' },
};
