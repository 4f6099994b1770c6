import { listOlderInvitations } from '../../lib/adapters/dynamodb/invitedAddress.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { environment } from '../../lib/runtime/environment.ts'
import type { Run } from './command.ts'

/** `backfill-invitations`: lists the invitations that were stored before they were listed by their address. Prints no address. */
export const backfillInvitations: Run = async (_none, { dryRun, connect }) => {
  await connect()
  const { AWS_REGION, BILLING_TABLE } = environment
  const documents = createDocumentClient({ region: AWS_REGION })
  try {
    const listed = await listOlderInvitations(documents, BILLING_TABLE, { dryRun })
    console.log(`${listed} invitations ${dryRun ? 'would be' : 'were'} listed by their address`)
    return 0
  } finally {
    documents.destroy()
  }
}
