/** The events of webhooks: their names as they are sent, and what has happened then. */

/** Every event by its name, with what has happened, in words for developers. */
export const WEBHOOK_EVENTS = {
  'turn.completed': 'An avatar’s turn has its text, and its sound or video where it was to have one.',
  'turn.failed': 'An avatar’s turn ended in error; nothing was charged for it.',
  'speech.completed': 'A one-shot speech is ready.',
  'speech.failed': 'A one-shot speech ended in error; nothing was charged.',
  'image.completed': 'An image is ready.',
  'image.failed': 'An image could not be made; nothing was charged.',
  'video.completed': 'A video is ready.',
  'video.failed': 'A video ended in error or was cancelled; nothing was charged.',
  'training.completed': 'An avatar has learnt the pages of its knowledge.',
  'training.failed': 'None of the pages could be learnt; what was known before is kept.',
  'gift.received': 'Another user gave credits to the account.',
  'gift.confirmed': 'A gift that the account, or the app, proposed was confirmed.',
} as const;

/** The name of an event. */
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
/** All names. */
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

/** Sent when the owner asks for it, whatever an endpoint is to hear of. */
export const TEST_EVENT = 'webhook.test';
