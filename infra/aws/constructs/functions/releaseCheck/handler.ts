import { setTimeout as pause } from 'node:timers/promises'
import { manifest } from '../../../../manifest.ts'
import { releaseCheck } from './releaseCheck.ts'
import { signedCalls } from './signedCall.ts'

const { STAGE = '', EDGE_KEY, RELEASE_READER } = process.env
const call = signedCalls(process.env)
const rows = new Map(manifest.map((row) => [`${STAGE}-${row.name}`, row]))

/** What CodeDeploy calls before a new version of a function gets traffic. */
export async function handler(event: unknown): Promise<void> {
  await releaseCheck(event, {
    call,
    pause,
    elapsed: () => performance.now(),
    rowOf: (functionName) => rows.get(functionName),
    settings: { edgeKey: EDGE_KEY, reader: RELEASE_READER },
    log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  })
}
