import { readFileSync } from 'node:fs'
import { subjectFaults } from './subjectFaults.ts'

/** The hook `commit-msg`: refuses a subject that is too long or says two things. */
const [subject = ''] = readFileSync(process.argv[2] ?? '', 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
const faults = subjectFaults(subject)
if (faults.length > 0) {
  console.error([`“${subject}”:`, ...faults].join('\n  '))
  process.exitCode = 1
}
