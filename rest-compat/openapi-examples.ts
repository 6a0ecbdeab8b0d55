/**
 * Examples of the OpenAPI document, one for every body: values by the names of their fields, and where a name says nothing by
 * their kind. What a lint finds wrong with one of them is wrong with the schema it is made from.
 */

type Json = Record<string, unknown>;

const HOST = 'https://avatars.example';
const MOMENT_MS = 1_767_225_600_000;
const ID_TAIL = '01jd8q4m3t7x2v9k5r6w1y8z0b';

/** What names of fields mean, whatever the body. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  name: 'Nova',
  displayName: 'Nova',
  avatarDisplayName: 'Nova',
  avatarOwnerDisplayName: 'Ada',
  tribeName: 'Ada’s tribe',
  personalityPrompt: 'A warm baker who loves the sea.',
  prompt: 'A lighthouse at dusk',
  text: 'Good morning!',
  userText: 'What do you bake today?',
  avatarText: 'Rye bread, and a plum cake.',
  content: 'Likes tea without sugar.',
  query: 'What do they drink?',
  answer: 'Tea without sugar.',
  speechText: 'Good morning!',
  note: 'Thank you!',
  language: 'en-GB',
  ttsVoiceId: 'amelia',
  voiceId: 'amelia',
  aspectRatio: '16:9',
  shareSlug: 'c-26-01-k3x9',
  slug: 'c-26-01-k3x9',
  storePath: 'conversations/cnv_1/turns/trn_1',
  poll: '/videos/vid_1',
  scope: 'profile generate',
  scopes: ['profile', 'generate'],
  redirectDomains: ['app.example.com'],
  redirect_uri: 'https://app.example.com/callback',
  resource: `${HOST}/mcp`,
  aud: `${HOST}/mcp`,
  iss: HOST,
  grant_type: 'client_credentials',
  token_type: 'Bearer',
  system: 'managed',
  namespace: 'public',
  sandboxId: 'trial',
  speakerRef: 'viewer-42',
  sub: 'ava_5f2c',
  amount: 2.5,
  limit: 10,
  duration: 5,
  fps: 24,
  seconds: 5,
};

/** An example of a schema; `name` is the field that it stands in, `resolve` finds a named schema. */
export function exampleOf(schema: Json, name: string, resolve: (ref: string) => Json): unknown {
  if (typeof schema.$ref === 'string') return exampleOf(resolve(schema.$ref), name, resolve);
  const [alternative] = (schema.anyOf as Json[] | undefined) ?? [];
  if (alternative) return exampleOf(alternative, name, resolve);
  const [kind] = [schema.type].flat();
  if (kind === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    return Object.fromEntries(properties.map(([field, inner]) => [field, exampleOf(inner, field, resolve)]));
  }
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const named = BY_NAME[name];
  if (kind === 'array') {
    if (Array.isArray(named)) return named;
    return [exampleOf((schema.items ?? {}) as Json, name.replace(/s$/, ''), resolve)];
  }
  if (named !== undefined && typeof named === (kind === 'integer' ? 'number' : kind)) return named;
  return plainValue(schema, kind as string | undefined, name);
}

function plainValue(schema: Json, kind: string | undefined, name: string): unknown {
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') {
    if (/At$|Until$/.test(name)) return MOMENT_MS;
    return typeof schema.minimum === 'number' ? schema.minimum : 1;
  }
  if (schema.format === 'uri' || /(?:Url|picture|image|video|audio|icon|Image|Video)$/.test(name)) {
    return `${HOST}/files/example.jpg`;
  }
  if (/(?:^|[a-z_])[iI]d$/.test(name) && name !== 'client_id') {
    return `${
      name
        .replace(/_?[iI]d$/, '')
        .slice(0, 3)
        .toLowerCase() || 'one'
    }_${ID_TAIL}`;
  }
  return 'example';
}
