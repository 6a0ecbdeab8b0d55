import type { VoiceSettings } from '../../ports.ts';
export function estimateSpeechSeconds(_text: string, _voice: VoiceSettings): number {
  return 1;
}
