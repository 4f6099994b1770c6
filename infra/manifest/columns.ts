import type { DynamoDbAction, Method, StreamName, Trigger } from './row.ts'

type Schedule = Extract<Trigger, { kind: 'schedule' }>
type HttpTrigger = Extract<Trigger, { kind: 'http' }>

function route<M extends Method>(method: M, path: HttpTrigger['path']) {
  return { kind: 'http', method, path } as const satisfies HttpTrigger
}

/** Routes of the HTTP API. */
export const get = (path: HttpTrigger['path']) => route('GET', path)
export const post = (path: HttpTrigger['path']) => route('POST', path)
export const put = (path: HttpTrigger['path']) => route('PUT', path)
export const patch = (path: HttpTrigger['path']) => route('PATCH', path)
export const del = (path: HttpTrigger['path']) => route('DELETE', path)

/** @param failMode `closed` if callers could guess secrets at the endpoint */
export function perMinute(requestsPerMinute: number, failMode: 'open' | 'closed' = 'open') {
  return { requestsPerMinute, failMode }
}

/** The columns of a document that every page may read, made when the function starts. */
export const publicDocument = { crossOrigin: 'any', caller: 'anyone', memoryMb: 256, timeoutSeconds: 5 } as const

/** The columns of a run by a schedule. */
export function scheduled(every: Schedule['every'], stream?: StreamName) {
  return {
    trigger: { kind: 'schedule', every, ...(stream && { stream }) },
    caller: 'schedule',
    samples: { served: `every-${every.replace(' ', '-')}` },
  } as const
}

/** Signs users in: takes second factors, and mails about sign-ins in new browsers. Memory gives processor time: argon2id must not take a second. */
export const signsIn = { kms: { totp: ['Decrypt'] }, secrets: ['knownBrowserKey'], mail: true, memoryMb: 1024 } as const

/** Asks Stripe about an organization's customer, whose id is stored encrypted. */
export const asksOfCustomer = { kms: { customer: ['Decrypt'] }, secrets: ['stripeSecretKey'] } as const

/** Deletes accounts or organizations, which may owe invoices. */
export const deletes = { ...asksOfCustomer, asksStripe: true, mail: true, timeoutSeconds: 28 } as const

/** The tables of a change that the audit log lists and webhook endpoints hear. */
export const announced = { auditLog: ['PutItem'], events: ['PutItem'] } as const

/** The tables of a change in an organization: it also checks the caller's grant, and adds its entry to the audit log. */
export function changes({ accounts = [], billing }: { accounts?: DynamoDbAction[]; billing: DynamoDbAction[] }) {
  return { accounts: [...accounts, 'ConditionCheckItem'], billing, auditLog: ['PutItem'] } as const
}

/** The tables of an operation that verifies an address: its user may join the organization that has the address's domain. */
export function joining(accounts: DynamoDbAction[]) {
  return {
    accounts: [...accounts, 'ConditionCheckItem'],
    billing: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    ...announced,
  } as const
}
