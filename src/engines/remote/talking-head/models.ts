/**
 * What lip-sync and avatar models call their inputs (docs/engines/talking-head.md says whence); the first name that a model begins
 * with counts. `TALKING_HEAD_FIELDS` and `TALKING_HEAD_OPTIONS` say it for any other, and overrule it for these.
 */
import type { JSONValue } from '@ai-sdk/provider';
import type { InputFields } from './protocol.ts';

/** How a model calls its inputs. */
export interface ModelInputs {
  fields: InputFields;
  options?: Record<string, JSONValue>;
}

/** Models that ask for a description of what is to be seen. */
const PROMPT = 'A person speaks to the camera, calm, with small movements of the head.';

const still = (image: string, audio: string, options?: Record<string, JSONValue>): ModelInputs => ({
  fields: { image, audio },
  ...(options ? { options } : {}),
});
/** They exchange the lips of a video. */
const lips = (video: string, audio: string): ModelInputs => ({ fields: { video, audio } });

const MODELS: Record<'fal' | 'replicate', [begin: string, inputs: ModelInputs][]> = {
  fal: [
    ['fal-ai/sadtalker', still('source_image_url', 'driven_audio_url')],
    ['fal-ai/musetalk', lips('source_video_url', 'audio_url')],
    ['fal-ai/sync-lipsync', lips('video_url', 'audio_url')],
    ['fal-ai/latentsync', lips('video_url', 'audio_url')],
    ['fal-ai/infinitalk/video-to-video', { ...lips('video_url', 'audio_url'), options: { prompt: PROMPT } }],
    ['veed/lipsync', lips('video_url', 'audio_url')],
    ['veed/fabric-1.0', still('image_url', 'audio_url', { resolution: '720p' })],
    ['fal-ai/ai-avatar', still('image_url', 'audio_url', { prompt: PROMPT })],
    ['fal-ai/stable-avatar', still('image_url', 'audio_url', { prompt: PROMPT })],
    ['fal-ai/infinitalk', still('image_url', 'audio_url', { prompt: PROMPT })],
    // omnihuman, kling-video's ai-avatar, flashtalk.
    ['', still('image_url', 'audio_url')],
  ],
  replicate: [
    ['cjwbw/sadtalker', still('source_image', 'driven_audio')],
    ['lucataco/sadtalker', still('source_image', 'driven_audio')],
    ['kwaivgi/kling-lip-sync', lips('video_url', 'audio_file')],
    ['skallagrimr/latentsync', still('input_source', 'audio')],
    ['bytedance/latentsync', lips('video', 'audio')],
    ['sync/', lips('video', 'audio')],
    ['wan-video/', still('image', 'audio', { prompt: PROMPT })],
    // omni-human, kling-avatar, fabric-1.0.
    ['', still('image', 'audio')],
  ],
};

/** What a model of this provider is given. */
export function inputsFor(provider: 'fal' | 'replicate', model: string): ModelInputs {
  const [, inputs = still('image', 'audio')] = MODELS[provider].find(([begin]) => model.startsWith(begin)) ?? [];
  return inputs;
}
