import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { LocalClient } from '../localClient.ts'

const claim = z.object({ id: z.string(), domain: z.string(), txt_name: z.string(), txt_value: z.string() })

/** Adds a new domain to an organization that the demo's owner owns, and plays the record that proves it. */
export async function provenDomain(client: LocalClient, organizationId: string): Promise<z.output<typeof claim>> {
  const path = `/api/organizations/${organizationId}/domains`
  const token = await client.accessToken('owner')
  const { body } = await client.send({ method: 'POST', path, token, body: { domain: newDomain() } })
  const domain = claim.parse(body)
  const record = { name: domain.txt_name, type: 'TXT', values: [domain.txt_value] }
  await client.send({ method: 'POST', path: '/_local/dns', body: record })
  return domain
}

export function newDomain(): string {
  return `company-${randomUUID().slice(0, 8)}.example`
}
