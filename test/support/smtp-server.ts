/** A mail server that keeps what it is given: the part of SMTP (RFC 5321) that a client needs. Tests turn its knobs. */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As it was sent. */
  raw: string;
  /** With quoted-printable read, so that links are whole. */
  content: string;
}

export interface SmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** True: it answers every client to come back later. */
  isDown: boolean;
  /** Recipients that it does not have. */
  unknown: Set<string>;
  close(): Promise<void>;
}

const readQuotedPrintable = (raw: string): string =>
  raw.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

export async function openSmtpServer(): Promise<SmtpServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    serve(smtp, socket);
  });
  const smtp: SmtpServer = {
    url: '',
    mails: [],
    isDown: false,
    unknown: new Set(),
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  smtp.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return smtp;
}

function serve(smtp: SmtpServer, socket: Socket): void {
  const say = (line: string): void => {
    socket.write(`${line}\r\n`);
  };
  if (smtp.isDown) {
    socket.end('421 later\r\n');
    return;
  }
  let mail = { from: '', to: [] as string[] };
  let waiting = '';
  let isData = false;
  const address = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? '';
  const answerTo = (line: string): string => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'MAIL') mail = { from: address(line), to: [] };
    if (verb === 'RCPT') {
      if (smtp.unknown.has(address(line))) return `550 <${address(line)}> is not here`;
      mail.to.push(address(line));
    }
    isData = verb === 'DATA';
    if (verb === 'QUIT') return '221 bye';
    return isData ? '354 go on' : '250 fine';
  };
  socket.setEncoding('utf8').on('data', (text) => {
    waiting += text;
    for (;;) {
      const end = waiting.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const part = waiting.slice(0, end);
      waiting = waiting.slice(end + (isData ? 5 : 2));
      if (!isData) say(answerTo(part));
      else {
        isData = false;
        smtp.mails.push({ ...mail, raw: part, content: readQuotedPrintable(part) });
        say('250 taken');
      }
    }
  });
  say('220 test');
}
