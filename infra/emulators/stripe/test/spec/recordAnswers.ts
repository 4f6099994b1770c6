import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { answerChannel } from '../../server/answerChannel.ts'

/** Runs in every test file, and does nothing unless the reporter has opened a folder for answers: `STRIPE_SPEC` is set then. */
const folder = process.env.STRIPE_SPEC_ANSWERS

function record(answer: unknown): void {
  if (typeof answer !== 'object' || folder === undefined) return
  const { currentTestName: test } = expect.getState()
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ ...answer, test })}\n`)
}

if (folder !== undefined) {
  subscribe(answerChannel.name, record)
  // The channel outlives this file's modules: the worker runs other files afterwards.
  afterAll(() => {
    unsubscribe(answerChannel.name, record)
  })
}
