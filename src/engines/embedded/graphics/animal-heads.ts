/** Animals whose head alone is a portrait: the sprite of the scenes, the head of the art, and what it is dyed. */

/** The head of an animal. */
export interface Head {
  beast: string;
  /** Colour of the fur as '#rrggbb'; absent where the art's own colour stays. */
  fur?: string;
}

const HEADS: Readonly<Record<string, Head>> = {
  cat: { beast: 'cat' },
  'black-cat': { beast: 'cat', fur: '#3a3640' },
  dog: { beast: 'dog' },
  poodle: { beast: 'dog', fur: '#efe6dc' },
  cow: { beast: 'cow' },
  pig: { beast: 'pig' },
  rabbit: { beast: 'rabbit' },
  mouse: { beast: 'mouse' },
  tiger: { beast: 'tiger' },
  monkey: { beast: 'monkey' },
  hamster: { beast: 'hamster' },
  'own:fox': { beast: 'fox' },
  'own:wolf': { beast: 'wolf' },
  'own:bear': { beast: 'bear' },
  'own:lion': { beast: 'lion' },
  'own:panda': { beast: 'panda' },
  'own:koala': { beast: 'koala' },
  'own:frog': { beast: 'frog' },
};

/** The head of an animal's sprite; undefined for those that are drawn whole only. */
export const headOf = (sprite: string): Head | undefined => (Object.hasOwn(HEADS, sprite) ? HEADS[sprite] : undefined);
