import { costReport } from './costReport.ts'

/** `npm run cost`: what each operation costs on AWS. Reads nothing but the tables beside it. */
process.stdout.write(`${costReport()}\n`)
