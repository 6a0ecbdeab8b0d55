/** For React: an avatar in a frame, and a conversation as state. */
import { type CSSProperties, createElement, type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import type { Client } from './client.ts';
import { type ConversationAccess, type ConversationState, followConversation, NOTHING_YET } from './conversation.ts';
import { type InjectTurnInput, injectTurn, type Turn } from './generated/graphql.ts';

/** What the stage in the frame does. */
export interface StageState {
  type: 'avatar:state';
  state: 'idle' | 'thinking' | 'playing' | 'paused';
  muted: boolean;
}

/** A turn that begins or has ended in the frame. */
export interface StageTurn {
  type: 'avatar:turn';
  phase: 'start' | 'end' | 'failed';
  turnId: string;
  role: 'user' | 'avatar';
  output: 'audio' | 'video' | null;
}

/** What `AvatarLive` takes. */
export interface AvatarLiveProps {
  /** The `liveUrl` of a conversation or a turn, or the address of an avatar's own page, to talk with it. */
  src: string;
  title?: string;
  /** false: it waits for its viewer to press play. */
  autoplay?: boolean;
  /** Only what comes from now on, or from this moment on. */
  since?: 'now' | number | Date;
  onState?: (state: StageState) => void;
  onTurn?: (turn: StageTurn) => void;
  className?: string;
  style?: CSSProperties;
}

/** The address of the frame: what was given, with the options of the page. */
function addressOf({ src, autoplay, since }: AvatarLiveProps): string {
  const url = new URL(src);
  if (autoplay === false) url.searchParams.set('autoplay', '0');
  if (since !== undefined) url.searchParams.set('since', since === 'now' ? since : String(Number(since)));
  if (/^\/a\/[^/]+\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/embed`;
  return url.href;
}

/** The live viewer in a frame with the permissions it needs. */
export function AvatarLive(props: AvatarLiveProps): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (!frame.current || source !== frame.current.contentWindow) return;
      const message = data as StageState | StageTurn | null;
      if (message?.type === 'avatar:state') latest.current.onState?.(message);
      if (message?.type === 'avatar:turn') latest.current.onTurn?.(message);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, []);
  const isTalk = /\/a\/[^/]+/.test(props.src);
  return createElement('iframe', {
    ref: frame,
    src: addressOf(props),
    title: props.title ?? 'Live avatar',
    allow: `autoplay; fullscreen${isTalk ? '; microphone' : ''}`,
    allowFullScreen: true,
    referrerPolicy: 'no-referrer',
    className: props.className,
    style: { border: 0, width: '100%', aspectRatio: isTalk ? undefined : 1, ...props.style },
  });
}

/** What `useConversation` returns. */
export interface ConversationHook extends ConversationState {
  /** Says something to the avatar; its answer comes into `turns`. Throws what the server refuses, e.g. too few credits. */
  say(userText: string, options?: Omit<InjectTurnInput, 'conversationId' | 'userText'>): Promise<Turn>;
}

/** A conversation as it goes on, from its beginning. `client` and what names the conversation may change at any time. */
export function useConversation(client: Client, { slug, viewerToken, key }: ConversationAccess): ConversationHook {
  const [state, setState] = useState(NOTHING_YET);
  useEffect(() => {
    setState(NOTHING_YET);
    return followConversation(client, { slug, viewerToken, key }, setState);
  }, [client, slug, viewerToken, key]);
  const say = useCallback(
    async (userText: string, options?: Omit<InjectTurnInput, 'conversationId' | 'userText'>): Promise<Turn> => {
      const input = { ...options, conversationId: slug, userText };
      return (await client.graphql(injectTurn, { input })).injectTurn.turn;
    },
    [client, slug],
  );
  return { ...state, say };
}
