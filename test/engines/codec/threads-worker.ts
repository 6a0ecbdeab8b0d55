/** A worker for the pool's tests: does what its task says, well or badly. Erasable TypeScript: Node runs it as it is. */
import { serve } from '../../../src/engines/ports/serve.ts';
import { badInput } from '../../../src/kernel/errors.ts';

const begun: string[] = [];

serve<string>(async (task, run) => {
  if (task === 'what began') return begun.join();
  begun.push(task);
  if (task === 'exit') process.exit(3);
  if (task === 'crash') return crash();
  if (task === 'refuse') throw badInput('task', 'is refused.');
  if (task === 'break') throw new TypeError('hex.slice is not a function');
  if (task === 'spin') for (;;);
  if (task === 'slow') {
    for (let piece = 0; piece < 40; piece++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      run.piece(new TextEncoder().encode('.'));
    }
    return task;
  }
  if (task === 'until stopped') {
    while (!run.stopped()) await new Promise((resolve) => setImmediate(resolve));
    return 'stopped';
  }
  for (const letter of task) run.piece(new TextEncoder().encode(letter));
  return task.length;
});

/** An error that no promise carries: it ends the thread. */
function crash(): Promise<never> {
  setImmediate(() => {
    throw new Error('an uncaught error in the thread');
  });
  return new Promise(() => undefined);
}
