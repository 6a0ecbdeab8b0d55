/** One turn as it is shared: its `t-` slug is the grant, so the card is read without asking who reads it. */
import type { ClipCard } from '../../../schema/clip.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { readSlug } from '../../kernel/slugs.ts';
import type { Platform } from '../platform.ts';
import { showTurn, TURN_COLUMNS, type TurnRow } from './turn.queries.ts';

interface CardRow extends TurnRow {
  avatarDisplayName: string | null;
  imageKey: string | null;
}

const CARD = `select ${TURN_COLUMNS}, a.display_name as "avatarDisplayName", i.media_key as "imageKey"
  from turn t
  join conversation c on c.id = t.conversation_id
  join avatar a on a.id = t.voiced_by_avatar_id
  left join avatar_image i on i.id = case when t.voiced_by_avatar_id = c.avatar_id then c.image_id
    else (select p.id from avatar_image p where p.avatar_id = a.id and p.is_primary) end
  where t.share_slug = $1`;

export class Clips {
  readonly #p: Pick<Platform, 'db' | 'links' | 'config'>;

  constructor(platform: Pick<Platform, 'db' | 'links' | 'config'>) {
    this.#p = platform;
  }

  /** The turn behind a `t-` slug, with who speaks it. Throws 404 when there is none. */
  async card(text: string): Promise<ClipCard> {
    const slug = readSlug(text, 't');
    const [row] = slug ? await this.#p.db.rows<CardRow>(CARD, [slug]) : [];
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    return {
      turn: showTurn(this.#p, row),
      avatarDisplayName: row.avatarDisplayName,
      avatarImageUrl: row.imageKey ? this.#p.links.signPublic(row.imageKey) : null,
    };
  }
}
