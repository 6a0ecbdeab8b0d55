/** What was said, to keep: as text, as JSON, or as subtitles in the order in which it is played. */
import type { WholeTranscriptData } from './operations.ts';
import { spokenText, type TurnData } from './turn-data.ts';

type Transcript = WholeTranscriptData['conversationBySlug'];

interface ExportFormat {
  type: string;
  write(transcript: Transcript): string;
}

const speakerOf = ({ conversation }: Transcript, { role }: TurnData): string =>
  role === 'user' ? 'You' : (conversation.avatarDisplayName ?? 'Avatar');

/** Seconds that a turn without sound stands in the subtitles. */
const READ_SECONDS = 3;

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  txt: {
    type: 'text/plain; charset=utf-8',
    write: (transcript) =>
      transcript.turns
        .filter(spokenText)
        .map((turn) => `${speakerOf(transcript, turn)}: ${spokenText(turn)}\n`)
        .join(''),
  },
  json: {
    type: 'application/json; charset=utf-8',
    write: (transcript) =>
      JSON.stringify(
        transcript.turns.map((turn) => ({
          speaker: speakerOf(transcript, turn),
          role: turn.role,
          text: spokenText(turn),
          seconds: turn.seconds,
          createdAt: new Date(turn.createdAt).toISOString(),
        })),
        null,
        2,
      ),
  },
  vtt: {
    type: 'text/vtt; charset=utf-8',
    write(transcript) {
      let at = 0;
      const cues = transcript.turns.filter(spokenText).map((turn) => {
        const end = at + (turn.seconds ?? READ_SECONDS);
        // An arrow would end the text of a cue.
        const words = spokenText(turn).replaceAll('-->', '→').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        const cue = `${stamp(at)} --> ${stamp(end)}\n<v ${speakerOf(transcript, turn).replace(/[<>&\n]/g, ' ')}>${words.replaceAll('\n', ' ')}`;
        at = end;
        return cue;
      });
      return `WEBVTT\n\n${cues.join('\n\n')}\n`;
    },
  },
};

function stamp(seconds: number): string {
  return new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23);
}
