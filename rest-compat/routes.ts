/**
 * The documented REST endpoints as ONE table. A row is a method, a path and the GraphQL operation it
 * executes; the operation's aliases ARE the documented body. Variables are gathered from path, query and body.
 */

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters, as the documentation writes it. */
  path: string;
  /** The tag of the OpenAPI document. */
  section: string;
  summary: string;
  operation: string;
  /** Success status, or the ones it may have and which of them the data means; default 200. */
  status?: number | { all: readonly number[]; of(data: Record<string, unknown>): number };
  /** The body is the data of the operation, or its one root field. */
  body: 'data' | 'root';
  /** Fields left out of the body where they are null (documented as "present when ..."). */
  omitNulls?: readonly string[];
  /** Renames fields of the request body to those of the operation. */
  aliases?: Readonly<Record<string, string>>;
  /** For OAuth clients: form bodies, HTTP Basic and the errors of RFC 6749; mounted by `token.ts`. */
  oauth?: true;
  /** It charges: an Idempotency-Key is honoured. */
  charges?: true;
  /**
   * A cheap operation whose root field `tag` changes whenever the answer would. The answer carries it as its ETag,
   * and If-None-Match is answered from it alone; the operation above selects `tag` too, which the body leaves out.
   */
  tag?: string;
}

const AVATAR = `avatarId avatarOwnerUserId avatarOwnerDisplayName avatarOwnerStreamUsername displayName avatarImageUrl
  personalityPrompt ttsVoiceId publiclyRenderable createdAt updatedAt folderId nameLocked gemRef knowledgeBaseUrls`;
const PUBLIC_AVATAR = `avatarId avatarOwnerUserId avatarOwnerDisplayName avatarOwnerStreamUsername displayName
  avatarImageUrl ttsVoiceId publiclyRenderable createdAt updatedAt`;
const TURN = `id role userText avatarText output status audioUrl videoUrl shareSlug shareUrl liveUrl errorMessage
  mediaError createdAt`;
const CONVERSATION =
  'conversationId shareSlug shareUrl viewerToken liveUrl isPublic avatarId avatarOwnerUserId avatarDisplayName avatarImageUrl createdAt';
const SPEECH = 'generationId status audioUrl videoUrl shareSlug reused poll errorMessage';
const MADE_IMAGE = 'imageUrl aspectRatio creditCost model';
const TURN_NULLS = ['errorMessage', 'mediaError'];
const TRIBE = 'user tribeName joinCost memberCount isMember isOwner';
const GIFT = 'intentId status amount to from note createdAt expiresAt confirmUrl';

export const ROUTES: readonly Route[] = [
  // 4.1 API keys
  {
    method: 'POST',
    path: '/api-keys',
    section: 'API keys',
    summary: 'Create an API key; the token is shown once.',
    operation: `mutation($name: String!, $expiresAt: EpochMillis, $scopes: [String!]) {
      createApiKey(name: $name, expiresAt: $expiresAt, scopes: $scopes) { id name token createdAt expiresAt scopes } }`,
    body: 'root',
    omitNulls: ['expiresAt', 'scopes'],
  },
  {
    method: 'GET',
    path: '/api-keys',
    section: 'API keys',
    summary: 'List your API keys, without tokens.',
    operation: '{ apiKeys { id name createdAt lastUsedAt expiresAt scopes } }',
    body: 'data',
    omitNulls: ['lastUsedAt', 'expiresAt', 'scopes'],
  },
  {
    method: 'DELETE',
    path: '/api-keys/{id}',
    section: 'API keys',
    summary: 'Revoke an API key.',
    operation: 'mutation($id: ID!) { ok: deleteApiKey(id: $id) }',
    body: 'data',
  },
  // 4.2 Avatars and voices
  {
    method: 'GET',
    path: '/avatars',
    section: 'Avatars and voices',
    summary: 'List your avatars.',
    operation: `{ avatars { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'POST',
    path: '/avatars',
    section: 'Avatars and voices',
    summary: 'Create an avatar.',
    operation: `mutation($input: CreateAvatarInput!) { createAvatar(input: $input) { avatar { ${AVATAR} } avatarId avatarOwnerUserId } }`,
    body: 'root',
    omitNulls: ['gemRef'],
    aliases: { voiceId: 'ttsVoiceId' },
  },
  {
    method: 'GET',
    path: '/avatars/public',
    section: 'Avatars and voices',
    summary: 'List publicly renderable avatars.',
    operation: `query($first: Int, $after: ID) { avatars: publicAvatars(first: $first, after: $after) { ${PUBLIC_AVATAR} } }`,
    body: 'data',
  },
  {
    method: 'PATCH',
    path: '/avatars/{avatarId}',
    section: 'Avatars and voices',
    summary: 'Rename an avatar.',
    operation: `mutation($avatarId: ID!, $displayName: String!) { avatar: renameAvatar(avatarId: $avatarId, displayName: $displayName) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'DELETE',
    path: '/avatars/{avatarId}',
    section: 'Avatars and voices',
    summary: 'Delete an avatar and everything made of it.',
    operation: 'mutation($avatarId: ID!) { ok: deleteAvatar(avatarId: $avatarId) }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/public',
    section: 'Avatars and voices',
    summary: 'Open or close an avatar to other callers.',
    operation: `mutation($avatarId: ID!, $publiclyRenderable: Boolean!) { avatar: setAvatarPublic(avatarId: $avatarId, publiclyRenderable: $publiclyRenderable) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'GET',
    path: '/voices',
    section: 'Avatars and voices',
    summary: 'List preset and custom voices.',
    operation: '{ voices { id name source } }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/voice',
    section: 'Avatars and voices',
    summary: 'Give an avatar a voice.',
    operation: `mutation($avatarId: ID!, $voiceId: ID!) { avatar: setAvatarVoice(avatarId: $avatarId, voiceId: $voiceId) { ${AVATAR} } }`,
    body: 'data',
    omitNulls: ['gemRef'],
  },
  {
    method: 'GET',
    path: '/avatars/{avatarId}/images',
    section: 'Avatars and voices',
    summary: 'List the images of an avatar.',
    operation: `query($avatarId: ID!, $avatarOwnerUserId: ID) { avatarImages(avatarId: $avatarId, avatarOwnerUserId: $avatarOwnerUserId) {
      avatarId avatarOwnerUserId primary images { url assetId isPrimary createdAt } } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/train',
    section: 'Avatars and voices',
    summary: 'Learn from personalityPrompt and knowledgeBaseUrls; queued.',
    operation: 'mutation($avatarId: ID!) { trainAvatar(avatarId: $avatarId) { ok status gemRef } }',
    body: 'root',
  },
  // 4.3 Avatar folders
  {
    method: 'GET',
    path: '/avatar-folders',
    section: 'Avatar folders',
    summary: 'List your folders.',
    operation: '{ folders: avatarFolders { folderId name icon createdAt } }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/avatar-folders',
    section: 'Avatar folders',
    summary: 'Create a folder.',
    operation:
      'mutation($name: String!, $icon: String) { folder: createAvatarFolder(name: $name, icon: $icon) { folderId name icon createdAt } }',
    body: 'data',
  },
  {
    method: 'DELETE',
    path: '/avatar-folders/{folderId}',
    section: 'Avatar folders',
    summary: 'Delete a folder; its avatars are kept.',
    operation: 'mutation($folderId: ID!) { deleteAvatarFolder(folderId: $folderId) { ok folderId unfiledAvatars } }',
    body: 'root',
  },
  // 4.4 Brain memory
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/pages',
    section: 'Brain memory',
    summary: 'Save a memory.',
    operation: `mutation($avatarId: ID!, $input: SaveMemoryInput!) { saveMemory(avatarId: $avatarId, input: $input) { ok id system sandboxId } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/recall',
    section: 'Brain memory',
    summary: 'Find memories: raw ranked matches.',
    operation: `query($avatarId: ID!, $input: RecallInput!) { recallMemories(avatarId: $avatarId, input: $input) { memories { id content score namespace } system } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/avatars/{avatarId}/brain/query',
    section: 'Brain memory',
    summary: 'Answer a question from memory, with citations.',
    operation: `query($avatarId: ID!, $input: QueryBrainInput!) { queryBrain(avatarId: $avatarId, input: $input) { answer citations { id content score } } }`,
    body: 'root',
  },
  {
    method: 'DELETE',
    path: '/avatars/{avatarId}/brain/sandboxes/{sandboxId}',
    section: 'Brain memory',
    summary: 'Reset a sandbox.',
    operation: `mutation($avatarId: ID!, $sandboxId: String!) { resetBrainSandbox(avatarId: $avatarId, sandboxId: $sandboxId) { ok sandboxId deleted } }`,
    body: 'root',
  },
  // 4.5 One-shot speech
  {
    method: 'POST',
    path: '/avatars/{avatarId}/speak',
    section: 'One-shot speech',
    summary: 'Let an avatar speak a text; an identical earlier request is answered again.',
    operation: `mutation($avatarId: ID!, $input: SpeakInput!) { speak(avatarId: $avatarId, input: $input) { ${SPEECH} } }`,
    status: { all: [202, 200], of: ({ speak }) => ((speak as { reused: boolean }).reused ? 200 : 202) },
    body: 'root',
    omitNulls: ['errorMessage'],
    charges: true,
  },
  {
    method: 'GET',
    path: '/avatars/speak/{generationId}',
    section: 'One-shot speech',
    summary: 'Poll a one-shot speech.',
    operation: `query($generationId: ID!) { speakGeneration(generationId: $generationId) { ${SPEECH} } }`,
    body: 'root',
    omitNulls: ['errorMessage'],
  },
  // 4.6 Conversations
  {
    method: 'DELETE',
    path: '/avatars/speak/{generationId}',
    section: 'One-shot speech',
    summary: 'Delete one-shot speech and its media.',
    operation: 'mutation($generationId: ID!) { ok: deleteSpeech(generationId: $generationId) }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/conversations',
    section: 'Conversations',
    summary: 'Start a conversation with an avatar.',
    operation: `mutation($avatarOwnerUserId: ID!, $avatarId: ID!) { createConversation(avatarOwnerUserId: $avatarOwnerUserId, avatarId: $avatarId) {
      conversationId shareSlug shareUrl viewerToken liveUrl } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/turn',
    section: 'Conversations',
    summary: 'Inject a turn; the reply is generated asynchronously.',
    operation: `mutation($conversationId: ID!, $input: InjectTurnInput!) { injectTurn(conversationId: $conversationId, input: $input) {
      turn { ${TURN} } storePath async } }`,
    status: 202,
    body: 'root',
    omitNulls: TURN_NULLS,
    charges: true,
  },
  {
    method: 'DELETE',
    path: '/conversations/{conversationId}',
    section: 'Conversations',
    summary: 'Delete a conversation with its turns and media.',
    operation: 'mutation($conversationId: ID!) { ok: deleteConversation(conversationId: $conversationId) }',
    body: 'data',
  },
  {
    method: 'DELETE',
    path: '/turns/{turnId}',
    section: 'Conversations',
    summary: 'Delete a turn with its media.',
    operation: 'mutation($turnId: ID!) { ok: deleteTurn(turnId: $turnId) }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/visibility',
    section: 'Conversations',
    summary: 'Make a conversation public or private.',
    operation: `mutation($conversationId: ID!, $isPublic: Boolean!) { setConversationVisibility(conversationId: $conversationId, isPublic: $isPublic) { ok isPublic liveUrl } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/conversations/by-slug/{slug}',
    section: 'Conversations',
    summary: 'Read a conversation and its turns.',
    operation: `query($slug: String!, $limit: Int, $before: ID, $after: String) { conversationBySlug(slug: $slug, limit: $limit, before: $before, after: $after) {
      conversationId conversation { ${CONVERSATION} } turns { ${TURN} } tag } }`,
    body: 'root',
    omitNulls: [...TURN_NULLS, 'viewerToken'],
    tag: `query($slug: String!, $limit: Int, $before: ID, $after: String) { tag: conversationTag(slug: $slug, limit: $limit, before: $before, after: $after) }`,
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/avatar-image',
    section: 'Conversations',
    summary: 'Pin another image of the avatar.',
    operation: `mutation($conversationId: ID!, $avatarImageUrl: String!) { pinAvatarImage(conversationId: $conversationId, avatarImageUrl: $avatarImageUrl) { ok avatarImageUrl } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/conversations/{conversationId}/access-link',
    section: 'Conversations',
    summary: 'Mint a revocable private share link.',
    operation: 'mutation($conversationId: ID!) { createAccessLink(conversationId: $conversationId) { ok linkId url } }',
    body: 'root',
  },
  {
    method: 'DELETE',
    path: '/conversations/{conversationId}/access-link/{linkId}',
    section: 'Conversations',
    summary: 'Revoke an access link.',
    operation:
      'mutation($conversationId: ID!, $linkId: ID!) { ok: revokeAccessLink(conversationId: $conversationId, linkId: $linkId) }',
    body: 'data',
  },
  // 4.7 Images
  {
    method: 'POST',
    path: '/images/generate',
    section: 'Images',
    summary: 'Make a picture from a text; charged after success.',
    operation: `mutation($input: GenerateImageInput!) { generateImage(input: $input) { ${MADE_IMAGE} } }`,
    body: 'root',
    charges: true,
  },
  {
    method: 'POST',
    path: '/images/edit',
    section: 'Images',
    summary: 'Edit or join one to five pictures; charged after success.',
    operation: `mutation($input: EditImageInput!) { editImage(input: $input) { ${MADE_IMAGE} } }`,
    body: 'root',
    charges: true,
  },
  // 4.8 Video generation
  {
    method: 'DELETE',
    path: '/images/{imageId}',
    section: 'Images',
    summary: 'Delete a generated image.',
    operation: 'mutation($imageId: ID!) { ok: deleteImage(imageId: $imageId) }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/videos/generate',
    section: 'Video generation',
    summary: 'Make a video; poll it. Charged once, on success.',
    operation: `mutation($input: GenerateVideoInput!) { generateVideo(input: $input) {
      generationId status model referencedAvatars { id name } poll slug url seconds creditCost storePath } }`,
    status: 202,
    body: 'root',
    charges: true,
  },
  {
    method: 'GET',
    path: '/videos/pricing',
    section: 'Video generation',
    summary: 'What a second of video costs.',
    operation: '{ rates: videoPricing { tier creditsPerSecond appliesTo } }',
    body: 'data',
  },
  {
    method: 'GET',
    path: '/videos/{generationId}',
    section: 'Video generation',
    summary: 'Poll a video.',
    operation: `query($generationId: ID!) { video(generationId: $generationId) {
      generationId slug url status videoUrl model referencedAvatars { id name } seconds creditCost error poll storePath } }`,
    body: 'root',
    omitNulls: ['error'],
  },
  // 4.9 Login flow (OAuth 2.0)
  {
    method: 'DELETE',
    path: '/videos/{generationId}',
    section: 'Video generation',
    summary: 'Delete a video and its files.',
    operation: 'mutation($generationId: ID!) { ok: deleteVideo(generationId: $generationId) }',
    body: 'data',
  },
  {
    method: 'POST',
    path: '/oauth/clients',
    section: 'Login flow',
    summary: 'Register an app; the secret is shown once.',
    operation: `mutation($name: String!, $redirectDomains: [String!]!, $scopes: [String!], $serviceAvatarId: ID) {
      registerOAuthClient(name: $name, redirectDomains: $redirectDomains, scopes: $scopes, serviceAvatarId: $serviceAvatarId) {
      clientId clientSecret name redirectDomains scopes } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/oauth/clients',
    section: 'Login flow',
    summary: 'List your apps, without secrets.',
    operation: '{ apps: oauthClients { clientId name redirectDomains scopes serviceAvatarId createdAt } }',
    body: 'data',
  },
  {
    method: 'DELETE',
    path: '/oauth/clients/{clientId}',
    section: 'Login flow',
    summary: 'Delete an app and revoke every token it holds.',
    operation: 'mutation($clientId: ID!) { ok: deleteOAuthClient(clientId: $clientId) }',
    body: 'data',
  },
  {
    method: 'PATCH',
    path: '/oauth/clients/{clientId}',
    section: 'Login flow',
    summary: 'Name the avatar that the client-credentials grant acts as; null disables the grant.',
    operation:
      'mutation($clientId: ID!, $serviceAvatarId: ID) { setServiceAvatar(clientId: $clientId, serviceAvatarId: $serviceAvatarId) { ok clientId serviceAvatarId } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/oauth/clients/{clientId}/secret',
    section: '4.9 Login flow',
    summary: 'Give an app a new secret, shown once; the one before verifies for keepOldFor seconds, by default a day.',
    operation: `mutation($clientId: ID!, $keepOldFor: Int) { rotateClientSecret(clientId: $clientId, keepOldFor: $keepOldFor) {
      clientId clientSecret previousValidUntil } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/oauth/token',
    section: 'Login flow',
    summary:
      'Exchange a code or client credentials for an access token. JSON or form; credentials in the body or by HTTP Basic.',
    operation: `mutation($grant_type: String!, $client_id: ID!, $client_secret: String, $code: String, $redirect_uri: String, $code_verifier: String, $scope: String) {
      oauthToken(grantType: $grant_type, clientId: $client_id, clientSecret: $client_secret, code: $code, redirectUri: $redirect_uri, codeVerifier: $code_verifier, scope: $scope) {
      access_token: accessToken token_type: tokenType scope avatar { id name picture } } }`,
    body: 'root',
    oauth: true,
  },
  {
    method: 'POST',
    path: '/oauth/revoke',
    section: 'Login flow',
    summary: 'Revoke an access token as the app that holds it (RFC 7009).',
    operation: `mutation($token: String!, $client_id: ID!, $client_secret: String) {
      ok: oauthRevoke(token: $token, clientId: $client_id, clientSecret: $client_secret) }`,
    body: 'data',
    oauth: true,
  },
  {
    method: 'GET',
    path: '/oauth/userinfo',
    section: 'Login flow',
    summary: 'Who signed in, as the app may know them.',
    operation: '{ oauthUserinfo { sub name picture avatar_id: avatarId scope } }',
    body: 'root',
  },
  {
    method: 'GET',
    path: '/oauth/grants',
    section: 'Login flow',
    summary: 'List the access tokens that apps hold for you.',
    operation: `query($first: Int, $after: ID) { grants: oauthGrants(first: $first, after: $after) {
      tokenId clientId name avatar { id name picture } scopes clientCredentials createdAt } }`,
    body: 'data',
  },
  {
    method: 'DELETE',
    path: '/oauth/grants/{tokenId}',
    section: 'Login flow',
    summary: 'Revoke one access token.',
    operation: 'mutation($tokenId: ID!) { ok: revokeOAuthGrant(tokenId: $tokenId) }',
    body: 'data',
  },
  // 4.10 Tribes
  {
    method: 'GET',
    path: '/tribes/{user}',
    section: 'Tribes',
    summary: 'Read a creator’s tribe.',
    operation: `query($user: ID!) { tribe(user: $user) { ${TRIBE} } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/tribes/{user}/membership',
    section: 'Tribes',
    summary: 'Since when you, or a member of your tribe, belong to it.',
    operation:
      'query($user: ID!, $member: ID) { tribeMembership(user: $user, member: $member) { tribeOwner member joinedAt } }',
    body: 'root',
  },
  {
    method: 'POST',
    path: '/tribes/{user}/join',
    section: 'Tribes',
    summary: 'Join a tribe; free of charge for the creator’s subscribers.',
    operation: 'mutation($user: ID!) { joinTribe(user: $user) { success isSubscriber charged } }',
    body: 'root',
    charges: true,
  },
  // 4.11 Credit gifts
  {
    method: 'POST',
    path: '/donations/intents',
    section: 'Credit gifts',
    summary: 'Propose a gift; nothing moves until its sender confirms.',
    operation: `mutation($to: String!, $amount: Credits!, $note: String) { proposeGift(to: $to, amount: $amount, note: $note) { ${GIFT} } }`,
    body: 'root',
  },
  {
    method: 'GET',
    path: '/donations/intents/{intentId}',
    section: 'Credit gifts',
    summary: 'Read a gift you proposed.',
    operation: `query($intentId: ID!) { giftIntent(intentId: $intentId) { ${GIFT} } }`,
    body: 'root',
  },
  {
    method: 'POST',
    path: '/donations/intents/{intentId}/confirm',
    section: 'Credit gifts',
    summary: 'Confirm a gift, signed in; the credits move.',
    operation: `mutation($intentId: ID!) { confirmGift(intentId: $intentId) { ${GIFT} } }`,
    body: 'root',
    charges: true,
  },
  {
    method: 'POST',
    path: '/donations/intents/{intentId}/cancel',
    section: 'Credit gifts',
    summary: 'Cancel a gift; one that was resolved keeps its status.',
    operation: 'mutation($intentId: ID!) { cancelGift(intentId: $intentId) { intentId status } }',
    body: 'root',
  },
  {
    method: 'GET',
    path: '/donations/sent',
    section: 'Credit gifts',
    summary: 'List your confirmed gifts to a recipient.',
    operation: 'query($to: String!) { giftsSent(to: $to) { to total count gifts { amount note createdAt } } }',
    body: 'root',
  },
];
