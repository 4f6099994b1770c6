import { text } from 'node:stream/consumers'
import { planSummary } from './planSummary.ts'

/** What GitHub takes as the summary of a step is 1 MiB. */
const LIMIT = 1_000_000

// A step of the workflow Deploy: the plan comes in, and what its reviewers read goes out.
process.stdout.write(planSummary(await text(process.stdin), LIMIT))
