/** The documented REST endpoints as ONE table, in the order of the OpenAPI document: a file a section. */
import { ACCOUNT_ROUTES } from './account.ts';
import { API_KEY_ROUTES } from './api-keys.ts';
import { FOLDER_ROUTES } from './avatar-folders.ts';
import { AVATAR_ROUTES } from './avatars.ts';
import { CONVERSATION_ROUTES } from './conversations.ts';
import { GIFT_ROUTES } from './gifts.ts';
import { IMAGE_ROUTES } from './images.ts';
import { MEMORY_ROUTES } from './memory.ts';
import { OAUTH_ROUTES } from './oauth.ts';
import type { Route } from './route.ts';
import { SPEECH_ROUTES } from './speech.ts';
import { TRIBE_ROUTES } from './tribes.ts';
import { VIDEO_ROUTES } from './videos.ts';

export type { Route } from './route.ts';

export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...API_KEY_ROUTES,
  ...AVATAR_ROUTES,
  ...FOLDER_ROUTES,
  ...MEMORY_ROUTES,
  ...SPEECH_ROUTES,
  ...CONVERSATION_ROUTES,
  ...IMAGE_ROUTES,
  ...VIDEO_ROUTES,
  ...OAUTH_ROUTES,
  ...TRIBE_ROUTES,
  ...GIFT_ROUTES,
];
