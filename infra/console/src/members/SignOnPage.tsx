import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isApiError } from '../../../client/src/index.ts'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { Domain, SignOn, User } from '../app/types.ts'
import { CopyField } from '../forms/CopyField.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { createResource, type Resource } from '../loading/resource.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { signOnTexts, usePartTexts } from '../texts/partTexts.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SignOnForm } from './SignOnForm.tsx'
import { SignOnState } from './SignOnState.tsx'

/** The single sign-on of the organization with an OpenID provider of its own: for owners. */
export function SignOnPage({ user }: { readonly user: User }) {
  const { client } = useServices()
  const { organization, domains } = useOrganization()
  const texts = usePartTexts(signOnTexts)
  const queries = useQueryClient()
  const { id } = organization
  const resource = useMemo(
    () =>
      createResource<SignOn | null>(queries, {
        key: ['organization', id, 'sso'],
        load: async (signal) => {
          try {
            return await client.getSingleSignOn({ path: { organization_id: id }, signal })
          } catch (error) {
            if (isApiError(error) && error.code === 'sso_not_found') return null
            throw error
          }
        },
      }),
    [queries, client, id],
  )
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        <Loaded resource={domains} what="page">
          {(all) => (
            <Loaded resource={resource} what="page">
              {(signOn) => <SignOnParts signOn={signOn} domains={all} user={user} resource={resource} />}
            </Loaded>
          )}
        </Loaded>
      </div>
    </>
  )
}

interface SignOnPartsProps {
  readonly signOn: SignOn | null
  readonly domains: readonly Domain[]
  readonly user: User
  readonly resource: Resource<SignOn | null>
}

function SignOnParts({ signOn, domains, user, resource }: SignOnPartsProps) {
  const { organization } = useOrganization()
  const { needsDomain } = usePartTexts(signOnTexts)
  const hasDomain = domains.some(({ status }) => status === 'verified')
  if (signOn === null && !hasDomain)
    return (
      <EmptyState icon="globe" title={needsDomain.title}>
        <p>{needsDomain.text}</p>
        <Link className="button" to={{ page: 'domains', organizationId: organization.id }}>
          {needsDomain.link}
        </Link>
      </EmptyState>
    )
  return (
    <>
      {signOn !== null && (
        <SignOnState signOn={signOn} user={user} hasDomain={hasDomain} onDeleted={() => resource.set(null)} />
      )}
      <AddressesForProvider />
      {hasDomain && (
        <SignOnForm key={signOn === null ? 'new' : 'stored'} signOn={signOn} onSaved={(saved) => resource.set(saved)} />
      )}
    </>
  )
}

/** The addresses to enter at the provider, which the owner needs before there is a client there. */
function AddressesForProvider() {
  const { issuer } = useServices()
  const { organization } = useOrganization()
  const { provider: texts } = usePartTexts(signOnTexts)
  const at = (path: string) => new URL(path, issuer).href
  return (
    <section className="panel form" aria-labelledby="sign-on-provider">
      <h2 id="sign-on-provider">{texts.title}</h2>
      <p className="hint">{texts.lead}</p>
      <CopyField label={texts.redirect} value={at('/api/sso/callback')} />
      <CopyField label={texts.logout} value={at(`/api/sso/backchannel-logout/${organization.id}`)} />
    </section>
  )
}
