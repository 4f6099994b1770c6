import * as z from 'zod/mini'
import { isApiError } from '../../../client/src/index.ts'
import { useServices } from '../app/services.ts'
import type { Domain } from '../app/types.ts'
import { CopyField } from '../forms/CopyField.tsx'
import { SelectField } from '../forms/SelectField.tsx'
import { Row } from '../lists/Row.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { domainTexts, usePartTexts } from '../texts/partTexts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

const memberships = ['none', 'offer', 'join'] as const
const reasons = ['no_record', 'other_value', 'no_answer'] as const
const notProven = z.object({ reason: z.enum(reasons) })
const tones = { pending: 'neutral', verified: 'good', lost: 'bad' } as const

/** A domain with the record that proves it, and what can be done about it. */
export function DomainRow({ domain }: { readonly domain: Domain }) {
  const { client } = useServices()
  const { organization, domains } = useOrganization()
  const { id, domain: name, txt_name, txt_value } = domain
  const own = usePartTexts(domainTexts)
  const say = useToast()
  const path = { organization_id: organization.id, domain_id: id }
  const verifying = useStepUp(`verify domain ${organization.id} ${id}`, nothing, () => void verify())
  const choosing = useStepUp(`change domain ${organization.id} ${id}`, z.enum(memberships), (kept) => void choose(kept))
  const deleting = useStepUp(`delete domain ${organization.id} ${id}`, nothing)
  const verification = useAction()
  const change = useAction()
  const status = statusOf(domain)
  const why = reasonIn(verification.error)

  async function verify(): Promise<void> {
    const done = await verification.run(async () => {
      await verifying.run(true, () => client.verifyDomain({ path }))
      await domains.reload()
    })
    if (done) say(own.verify.done(name))
  }

  async function choose(chosen: (typeof memberships)[number]): Promise<void> {
    const done = await change.run(async () => {
      await choosing.run(chosen, () => client.updateDomain({ path, body: { membership: chosen } }))
      await domains.reload()
    })
    if (done) say(own.membership.done)
  }

  return (
    <Row
      icon="globe"
      title={name}
      badges={<Badge tone={tones[status]}>{own.statuses[status]}</Badge>}
      error={why === undefined ? (verification.error ?? change.error) : undefined}
      more={
        <div className="row-more stack">
          {why !== undefined && (
            <p className="notice warn" role="alert">
              {own.verify.reasons[why]}
            </p>
          )}
          <p className="hint">{own.record.lead}</p>
          <CopyField label={own.record.name} value={txt_name} />
          <CopyField label={own.record.value} value={txt_value} />
          {status === 'verified' && (
            <SelectField
              label={own.membership.label(name)}
              value={membershipOf(domain)}
              options={memberships.map((one) => [one, own.membership[one]] as const)}
              onChange={(chosen) => void choose(chosen)}
            />
          )}
          <div className="row-actions">
            {status !== 'verified' && (
              <Button
                kind="primary"
                label={own.verify.named(name)}
                running={verification.running}
                onClick={() => void verify()}
              >
                {own.verify.button}
              </Button>
            )}
            <ConfirmButton
              texts={own.remove}
              name={name}
              asksAtOnce={deleting.isSignedIn}
              onConfirm={async () => {
                await deleting.run(true, () => client.deleteDomain({ path }))
                await domains.reload()
                say(own.remove.done(name))
              }}
            />
          </div>
        </div>
      }
    >
      <p className="muted small">{own.explained[status]}</p>
    </Row>
  )
}

/** A state that is not known here counts as not proven. */
function statusOf({ status }: Domain): keyof typeof tones {
  if (status === 'verified') return 'verified'
  return status === 'lost' ? 'lost' : 'pending'
}

/** A choice that is not known here is shown as no choice. */
function membershipOf({ membership }: Domain): (typeof memberships)[number] {
  return memberships.find((one) => one === membership) ?? 'none'
}

/** Why the record does not prove the domain; undefined for any other failure. */
function reasonIn(error: unknown): (typeof reasons)[number] | undefined {
  return isApiError(error) ? notProven.safeParse(error.body).data?.reason : undefined
}
