/** The documented endpoints: One-shot speech. */
import { PAGE_INFO, type Route } from './route.ts';

const SPEECH = 'generationId status audioUrl videoUrl shareSlug reused poll errorMessage';

export const SPEECH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/avatars/{avatarId}/speak',
    section: 'One-shot speech',
    summary: 'Let an avatar speak a text; an identical earlier request is answered again.',
    operation: `mutation($input: SpeakInput!) { speak(input: $input) { ${SPEECH} } }`,
    status: { all: [202, 200], of: ({ speak }) => ((speak as { reused: boolean }).reused ? 200 : 202) },
    body: 'root',
    omitNulls: ['errorMessage'],
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/speech',
    section: 'One-shot speech',
    summary: 'List what you let be spoken.',
    operation: `query($first: Int, $after: String) { speech: speeches(first: $first, after: $after) {
      nodes { generationId status audioUrl videoUrl shareSlug poll errorMessage text createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'speech',
    omitNulls: ['errorMessage'],
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
];
