import { answers } from './answers.ts'
import { expectEqual, type Scene } from './scene.ts'

/** Reads invoices page by page, and opens their links. */
export async function readInvoices(scene: Scene): Promise<void> {
  scene.title('Invoices, two at a time, with their page and PDF')
  const first = await scene.send('GET /api/billing/invoices?limit=2', answers.invoices)
  await scene.send(`GET /api/billing/invoices?limit=2&cursor=${first.next_cursor}`, answers.invoices)
  for (const { hosted_invoice_url, invoice_pdf } of first.invoices.slice(0, 1)) {
    for (const url of [hosted_invoice_url, invoice_pdf]) {
      const response = await fetch(url)
      const size = (await response.arrayBuffer()).byteLength
      scene.note(`${url}\n${response.status} ${response.headers.get('content-type')}, ${size} bytes`)
      expectEqual(`the status of ${url}`, response.status, 200)
    }
  }
}

/** Changes the billing address, if no other page has changed it meanwhile. */
export async function editDetails(scene: Scene): Promise<void> {
  scene.title('Edit the billing address: If-Match names what the page shows')
  const line = 'PATCH /api/billing/details'
  const [, etag] = await scene.sendForETag('GET /api/billing/details', answers.details)
  const headers = { 'If-Match': etag }
  const body = { address: { line1: '12 Harbour Street', city: 'Dublin', postal_code: 'D02 X285', country: 'IE' } }
  const changed = await scene.send(line, answers.details, { body, headers })
  expectEqual('the city', changed.address?.city, 'Dublin')

  scene.title('A second page that still shows the old one overwrites nothing')
  const refused = await scene.send(line, answers.refusal, { body: { address: null }, headers, status: 412 })
  expectEqual('the code', refused.code, 'precondition_failed')
}

/** Reads who changed what: the buyer made purchases; the gateway renewed and ended subscriptions. */
export async function readAuditLog(scene: Scene, organizationId: string): Promise<void> {
  scene.title('Who changed what')
  const line = `GET /api/organizations/${organizationId}/audit-log?limit=100` as const
  const { entries } = await scene.send(line, answers.auditLog)
  const actors = [...new Set(entries.map(({ actor }) => actor.type))].sort()
  expectEqual('the actors', actors, ['gateway', 'user'])
}
