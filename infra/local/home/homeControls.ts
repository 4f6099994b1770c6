import type { WireAnswer } from '../http/apiGatewayAnswer.ts'
import type { LocalInfo } from '../info.ts'
import { fileControls, localAnswer } from '../pages/localPage.ts'
import { homePage } from './homePage.ts'

/** `GET /`: the first page of the local stack. */
export function homeControls(info: LocalInfo): Readonly<Record<string, () => Promise<WireAnswer>>> {
  return {
    'GET /': async () => localAnswer(homePage(info), 'text/html; charset=utf-8'),
    ...fileControls('/_local/home/', import.meta.url, ['home.css']),
  }
}
