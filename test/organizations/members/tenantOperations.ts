import * as z from 'zod'
import { sampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { webhookUrl } from '../../../infra/local/samples/sampleWebhooks.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import type { Answer, Person } from './people.ts'

/** An operation on an organization, sent as its sample event says, for an organization and one of its members. */
export interface TenantOperation {
  readonly name: string
  /** GET: changes nothing. */
  readonly isRead: boolean
  readonly allowed: readonly Role[]
  readonly forbidden: readonly Role[]
  call(who: Pick<Person, 'call'>, organizationId: string, memberId: string): Promise<Answer>
}

const roles: readonly Role[] = ['owner', 'billing_admin', 'member']

/** Which roles a caller of the manifest may have; none for one who does not act on an organization. */
const rolesOf: Readonly<Record<FunctionRow['caller'], readonly Role[]>> = {
  owner: ['owner'],
  'billing admin': ['owner', 'billing_admin'],
  member: roles,
  user: [],
  client: [],
  anyone: [],
  stripe: [],
  schedule: [],
}

const request = z.object({ rawPath: z.string(), rawQueryString: z.string(), body: z.string().optional() })

/** Every row of the manifest whose caller needs a role in an organization. Throws for one without a sample event that is served. */
export async function tenantOperations(): Promise<TenantOperation[]> {
  return Promise.all(manifest.filter(({ caller }) => rolesOf[caller].length > 0).map(operationOf))
}

async function operationOf({ name, trigger, caller, samples }: FunctionRow): Promise<TenantOperation> {
  const sample = request.parse(sampleEvent(name, samples.served))
  if (trigger.kind !== 'http') throw new Error(`${name} is for ${caller} and has no route`)
  const allowed = rolesOf[caller]
  return {
    name,
    isRead: trigger.method === 'GET',
    allowed,
    forbidden: roles.filter((role) => !allowed.includes(role)),
    call(who, organizationId, memberId) {
      const fill = (text: string) => filled(text, organizationId, memberId)
      const path = [fill(sample.rawPath), fill(sample.rawQueryString)].filter((part) => part !== '').join('?')
      if (!path.includes(organizationId)) throw new Error(`the sample event of ${name} names no organization`)
      return who.call(trigger.method, path, sample.body && JSON.parse(fill(sample.body)))
    },
  }
}

/** Replaces placeholders by ids, and those of other things by well-formed ones that do not exist. */
function filled(text: string, organizationId: string, memberId: string): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    if (name.endsWith('organization_id')) return organizationId
    if (name.endsWith('.id')) return memberId
    if (name === 'invitation_id') return 'A'.repeat(43)
    if (/^(api_client|webhook_\w+|domain)_id$/.test(name)) return '7d9f1b2c-0e4a-4c57-9b3d-5a6e8f0c1d23'
    if (name === 'webhook_url') return webhookUrl
    if (name === 'new_domain') return 'company.example'
    return name.endsWith('email') ? 'guest@example.com' : name.replaceAll('.', '_')
  })
}
