/** One turn as it is shared: its `t-` slug is the grant, so the card is read without asking who reads it. */
import type { TurnCard } from '../../../schema/turn-card.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { readSlug } from '../../kernel/slugs.ts';
import type { Platform } from '../platform/platform.port.ts';
import { showTurn, turnCard } from './turn.queries.ts';

export class SharedTurns {
  readonly #p: Pick<Platform, 'replicas' | 'links' | 'config'>;

  constructor(platform: Pick<Platform, 'replicas' | 'links' | 'config'>) {
    this.#p = platform;
  }

  /** The turn behind a `t-` slug, with who speaks it. Throws 404 when there is none. */
  async card(text: string): Promise<TurnCard> {
    const slug = readSlug(text, 't');
    const [row] = slug ? await this.#p.replicas.read((on) => turnCard(on, { slug })) : [];
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    return {
      turn: showTurn(this.#p, row),
      avatarDisplayName: row.avatarDisplayName,
      avatarImageUrl: row.imageKey ? this.#p.links.signPublic(row.imageKey) : null,
    };
  }
}
