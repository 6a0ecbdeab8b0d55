/** Decodes in a thread of its own, as the platform does: the native codec does not live in jest's sandbox. */
import '@napi-rs/webcodecs/polyfill';
import { decodeAudio } from '../../../src/engines/embedded/codec/decode/index.ts';
import type { SoundRules } from '../../../src/engines/ports/index.ts';
import { serve } from '../../../src/engines/ports/serve.ts';

serve<[file: Uint8Array, options?: SoundRules]>((task) => decodeAudio(...task));
