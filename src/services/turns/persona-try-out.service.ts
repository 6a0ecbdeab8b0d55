/**
 * An avatar's answer with a personality that is not saved yet, so that its owner hears what a change does. It answers as
 * in a conversation, with its knowledge and memory and in writing; nothing of it is kept, nothing remembered, nothing charged.
 */
import { AvatarEntity } from '../../../schema/entities/avatars.ts';
import type { TryPersonaInput } from '../../../schema/inputs/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import { runAsAccount } from '../../kernel/work-account.ts';
import { personaPrompt } from '../../persona/prompt.ts';
import type { MemoryPort } from '../brain/memory.port.ts';
import type { Platform } from '../platform/platform.port.ts';
import { streamChat } from './chat-stream.service.ts';

/** Of an answer: the user who tests a personality waits for all of it. */
const MOST_CHARS = 2_000;

/** Answers of personalities that are not saved. */
export class PersonaTryOuts {
  readonly #p: Pick<Platform, 'db' | 'engines'>;
  readonly #memory: MemoryPort;

  constructor(platform: Pick<Platform, 'db' | 'engines'>, memory: MemoryPort) {
    this.#p = platform;
    this.#memory = memory;
  }

  /** The answer in writing. Throws NOT_FOUND for an avatar that is not the caller's, UPSTREAM_FAILED when there is none. */
  async answer({ userId }: Pick<Principal, 'userId'>, input: TryPersonaInput): Promise<string> {
    const { avatarId, userText } = input;
    const avatar = await this.#p.db.em().findOne(AvatarEntity, { id: avatarId, owner: userId });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    const question = { avatarId, text: userText, userId, clientId: null, speakerAvatarId: null };
    const recalled = await this.#memory.recall(question);
    const prompt = personaPrompt({
      name: input.displayName ?? avatar.displayName,
      ...(input.personalityPrompt ? { personalityPrompt: input.personalityPrompt } : {}),
      ...recalled,
      task: 'chat',
      history: (input.history ?? []).flatMap((one) => [
        { role: 'user' as const, text: one.userText },
        { role: 'avatar' as const, text: one.avatarText },
      ]),
      userText,
    });
    return runAsAccount(userId, async () => {
      let written = '';
      try {
        for await (const delta of streamChat(this.#p, prompt)) {
          written += delta;
          if (written.length > MOST_CHARS) break;
        }
      } catch (error) {
        throw error instanceof PlatformError ? error : upstreamFailure('The chat engine failed.', error);
      }
      const text = written.trim().toWellFormed();
      if (!text) throw new PlatformError('UPSTREAM_FAILED', 'The chat engine returned no words.');
      return text;
    });
  }
}
