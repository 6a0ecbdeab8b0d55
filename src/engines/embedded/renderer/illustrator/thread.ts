/** The illustrator's thread: one image at a time, because drawing occupies its thread for tenths of a second. */
import { serve } from '../../../ports/serve.ts';
import { runTask } from './run-task.ts';
import type { Task } from './task.ts';

serve<Task>((task) => runTask(task));
