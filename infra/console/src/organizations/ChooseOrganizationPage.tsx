import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { Loaded } from '../loading/Loaded.tsx'
import { createResource, useResource } from '../loading/resource.ts'
import { ReceivedInvitations } from '../session/ReceivedInvitations.tsx'
import { useLocalization } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon } from '../ui/Icon.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { OrganizationForm } from './NewOrganizationPage.tsx'

/** The user's organizations, to choose from. A user who has none names the first. */
export function ChooseOrganizationPage({ user }: { readonly user: User }) {
  const { client } = useServices()
  const { texts, format } = useLocalization()
  const { roles, choose, first } = texts.organizations
  const queries = useQueryClient()
  const resource = useMemo(
    () =>
      createResource(queries, {
        key: ['organizations'],
        load: async (signal) => (await client.listOrganizations({ signal })).organizations,
      }),
    [queries, client],
  )
  const { value: organizations } = useResource(resource)
  if (organizations?.length === 0)
    return (
      <>
        <PageHeader title={first.title} lead={first.lead} />
        <div className="stack">
          <ReceivedInvitations />
          <OrganizationForm />
        </div>
      </>
    )
  return (
    <>
      <PageHeader title={choose.title} lead={choose.lead(user.username)}>
        <Link className="button" to={{ page: 'new-organization' }}>
          <Icon name="plus" />
          {choose.new}
        </Link>
      </PageHeader>
      <div className="stack">
        <ReceivedInvitations />
        <Loaded resource={resource} what="organizations">
          {(known) => (
            <ul className="rows">
              {known.map(({ id, name, role, requires }) => (
                <li key={id}>
                  <Link className="row link-row" to={{ page: 'overview', organizationId: id }}>
                    <Avatar name={name} />
                    <span className="row-text">
                      <span className="row-title">{name}</span>
                      <span className="muted">
                        {wordIn(roles, role)}
                        {requires.second_factor_from !== null &&
                          ` · ${choose.requiresFactor(format.day(requires.second_factor_from))}`}
                      </span>
                    </span>
                    <span className="chevron" aria-hidden="true" />
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </>
  )
}
