/**
 * Judges talking heads: each image speaks for twenty seconds, and its decoded frames are looked at by the landmark library.
 * Prints a table of figures, those that miss their goal marked, and leaves with 1 where one does. Without images: the tests'
 * photograph, in colour and in grey, small in a wide image, and portraits that we draw.
 *   --sheets DIR   also a contact sheet of each: at rest, open, at the widest p, b or m, rounded, spread, blinking, turned
 *   --every N      looks at each Nth frame only; 2 where nothing is said. Beyond 3 blinks are missed, which last for four frames
 */
import '../support/sources.mjs';

const { main } = await import('./judge-faces.ts');
process.exitCode = await main(process.argv.slice(2));
