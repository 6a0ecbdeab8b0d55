/** The documented endpoints: Video generation. */
import { PAGE_INFO, type Route } from './route.ts';

const VIDEO =
  'generationId slug url status videoUrl model referencedAvatars { id name } seconds creditCost error poll storePath';

export const VIDEO_ROUTES: readonly Route[] = [
  {
    method: 'DELETE',
    path: '/images/{imageId}',
    section: 'Images',
    summary: 'Delete a generated image.',
    operation: 'mutation($imageId: ID!) { deleteImage(input: { imageId: $imageId }) { ok } }',
    body: 'root',
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
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/videos',
    section: 'Video generation',
    summary: 'List your videos.',
    operation: `query($first: Int, $after: String) { videos(first: $first, after: $after) {
      nodes { ${VIDEO} prompt visibility createdAt } ${PAGE_INFO} } }`,
    body: 'data',
    list: 'videos',
    omitNulls: ['error'],
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
    operation: `query($generationId: ID!) { video(generationId: $generationId) { ${VIDEO} } }`,
    body: 'root',
    omitNulls: ['error'],
  },
];
