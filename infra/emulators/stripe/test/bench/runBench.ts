import { cpus } from 'node:os'
import { writeFigures } from '../support/writeFigures.ts'
import { measures } from './measures.ts'

/** `npm run bench -w stripe-emulator`: measures the emulator for some minutes, and writes the figures into the README. */
async function runBench(): Promise<void> {
  const rows: string[] = []
  for (const { name, run } of measures) {
    const result = (await run()) ?? 'not measured: Chromium is lacking'
    console.log(`${name}: ${result}`)
    rows.push(`| ${name} | ${result} |`)
  }
  const where = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores`
  writeFigures('bench', [`| figure (${where}) | result |`, '| --- | --- |', ...rows])
}

runBench().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
