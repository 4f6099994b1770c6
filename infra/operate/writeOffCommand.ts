import { writeOff } from '../../lib/billing/operate/writeOff.ts'
import { operateDeps, organizationOf, type Run } from './command.ts'

/** `write-off ORGANIZATION`: writes off what it owes, and prints each invoice. */
export const writeOffInvoices: Run = async ([organization], { dryRun, connect }) => {
  const organizationId = organizationOf(organization)
  await connect()
  const written = await writeOff(await operateDeps(), { organizationId }, { dryRun })
  if (written.kind !== 'done') {
    console.error(`write-off ${written.kind}: ${written.why}`)
    return written.kind === 'refused' ? 2 : 1
  }
  const verb = dryRun ? 'would be' : 'was'
  for (const { id, amount, currency, dueAt } of written.invoices) {
    const due = dueAt === null ? 'without a due date' : `due ${new Date(dueAt * 1000).toISOString().slice(0, 10)}`
    console.log(`write-off: ${id} ${verb} written off: ${amount} ${currency}, ${due}`)
  }
  if (written.invoices.length === 0) console.log('write-off: nothing to do, the organization owes nothing')
  return 0
}
