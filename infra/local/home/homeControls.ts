import { readFile } from 'node:fs/promises'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'
import type { LocalInfo } from '../info.ts'
import { localAnswer } from '../pages/localPage.ts'
import { homePage } from './homePage.ts'

/** `GET /`: the first page of the local stack. */
export function homeControls(info: LocalInfo): Readonly<Record<string, () => Promise<WireAnswer>>> {
  return {
    'GET /': async () => localAnswer(homePage(info), 'text/html; charset=utf-8'),
    'GET /_local/home/home.css': async () =>
      localAnswer(await readFile(new URL('home.css', import.meta.url)), 'text/css; charset=utf-8'),
  }
}
