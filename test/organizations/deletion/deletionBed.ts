import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import type { BillingStack } from '../../support/billingStack.ts'

export const DAY = 24 * 60 * 60

/** The schedule of deletions, run at will, and everything that is at rest. */
export function deletionBed(bed: { readonly stack: BillingStack }) {
  const rows: readonly FunctionRow[] = manifest

  /** One run of a schedule. Throws where a step failed. */
  async function runSchedule(schedule: 'deletions-erase' | 'billing-mails' | 'events-relay'): Promise<unknown> {
    const row = rows.find(({ name }) => name === schedule)
    if (row === undefined) throw new Error('no such function')
    return invokeFunction(row, (await fillSampleEvent(bed.stack.client, row.name)).event)
  }

  const run = () => runSchedule('deletions-erase')

  /** Every item of all tables but those that have expired, which DynamoDB deletes by itself. */
  async function atRest(): Promise<Record<string, unknown>[]> {
    const all = await Promise.all(
      Object.values(bed.stack.client.info.tables).map(
        async (TableName) => (await bed.stack.documents.send(new ScanCommand({ TableName }))).Items ?? [],
      ),
    )
    const now = await bed.stack.emulator.now()
    return all.flat().filter(({ expiresAt }) => typeof expiresAt !== 'number' || expiresAt > now)
  }

  /** Presses the button of the page behind a link. */
  async function submitLink(purpose: string, token: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${bed.stack.client.info.base_url}/api/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ purpose, token }),
    })
    return { status: response.status, text: await response.text() }
  }

  return { run, runSchedule, atRest, submitLink }
}

/** The number of seconds from now on until this time of the API. */
export function secondsUntil(body: unknown, now: number): number {
  const { deletion_at } = z.object({ deletion_at: z.iso.datetime() }).parse(body)
  return Date.parse(deletion_at) / 1000 - now
}
