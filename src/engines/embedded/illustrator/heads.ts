/** Animals whose head alone is a portrait: which emoji it is, and the fur of the shoulders where the head misleads. */

export interface Head {
  head: string;
  /** '#rrggbb'; absent: the mean of the head's own. */
  fur?: string;
}

const HEADS: Record<string, Head> = {
  cat: { head: 'cat-face' },
  'black-cat': { head: 'cat-face' },
  dog: { head: 'dog-face', fur: '#e6c8a6' },
  poodle: { head: 'dog-face', fur: '#e6c8a6' },
  cow: { head: 'cow-face', fur: '#e8e2dc' },
  pig: { head: 'pig-face' },
  rabbit: { head: 'rabbit-face' },
  mouse: { head: 'mouse-face' },
  tiger: { head: 'tiger-face', fur: '#ee8512' },
  monkey: { head: 'monkey-face' },
  dragon: { head: 'dragon-face' },
  hamster: { head: 'hamster' },
  raccoon: { head: 'raccoon', fur: '#7d8288' },
  'own:fox': { head: 'fox', fur: '#f0611a' },
  'own:wolf': { head: 'wolf' },
  'own:bear': { head: 'bear' },
  'own:lion': { head: 'lion', fur: '#d99a2c' },
  'own:panda': { head: 'panda', fur: '#34373c' },
  'own:koala': { head: 'koala' },
  'own:frog': { head: 'frog', fur: '#86b83c' },
};

/** The head of an animal's sprite; undefined for those that are drawn whole only. */
export const headOf = (sprite: string): Head | undefined => HEADS[sprite];
