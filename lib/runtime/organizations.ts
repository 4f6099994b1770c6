import { createApiClients } from '../adapters/dynamodb/apiClientStore.ts'
import { createAuditLog } from '../adapters/dynamodb/auditLogStore.ts'
import { createDomainMembers } from '../adapters/dynamodb/domainMemberStore.ts'
import { createInvitations } from '../adapters/dynamodb/invitationStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createOrganizationDeletions } from '../adapters/dynamodb/organizationDeletionStore.ts'
import { createSignInRulesRecords } from '../adapters/dynamodb/signInRulesStore.ts'
import { createProfiles, createUsers } from '../adapters/dynamodb/userStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { ChangeSignInRulesDeps } from '../organizations/admission/changeSignInRules.ts'
import type { ApiClientDeps, ChangeApiClientDeps } from '../organizations/apiClients/apiClientDeps.ts'
import type { DeleteOrganizationDeps } from '../organizations/deletion/deleteOrganization.ts'
import type { EraseOrganizationsDeps } from '../organizations/deletion/eraseOrganizations.ts'
import type { OrganizationDeletions } from '../organizations/deletion/ports.ts'
import type { RestoreOrganizationDeps } from '../organizations/deletion/restoreOrganization.ts'
import type { JoinByDomainDeps } from '../organizations/domains/joinByDomain.ts'
import type { DomainMembers } from '../organizations/domains/ports.ts'
import type { InviteDeps } from '../organizations/invitations/inviteMember.ts'
import type { RoleDeps } from '../organizations/members/changeRoles.ts'
import type { AuditLog, Invitations, Organizations, Profiles } from '../organizations/ports.ts'
import type { Users } from '../users/ports.ts'
import { clock } from './clock.ts'
import { accountsTable, allTables, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'
import { brandingFromEnvironment } from './settings.ts'

interface OrganizationDeps {
  organizations: Organizations
  invitations: Invitations
  auditLog: AuditLog
  profiles: Profiles
  domainMembers: DomainMembers
  users: Users
  ids: Ids
  clock: Clock
}

/** For everything about organizations but mail. Organizations are in the table `billing`, users in `accounts`, changes in `auditLog`. */
export function organizationDepsFromEnvironment(): OrganizationDeps {
  const tables = allTables()
  return {
    organizations: organizationsFromEnvironment(),
    invitations: createInvitations(documents, tables),
    auditLog: createAuditLog(documents, tables.auditLog),
    profiles: createProfiles(documents, tables.accounts),
    domainMembers: createDomainMembers(documents, tables),
    users: createUsers(documents, tables.accounts),
    ids,
    clock,
  }
}

/** For joining by a domain when an address is verified. */
export function joinByDomainDepsFromEnvironment(): JoinByDomainDeps {
  return { domainMembers: createDomainMembers(documents, allTables()), ids, clock, logger }
}

export function inviteDepsFromEnvironment(): InviteDeps {
  return {
    ...organizationDepsFromEnvironment(),
    mailBudgets: createMailBudgets(documents, accountsTable()),
    mailer: mailerFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}

/** For changing roles and joining, with the mails about it. */
export function roleDepsFromEnvironment() {
  return { ...organizationDepsFromEnvironment(), ...noticeDepsFromEnvironment() } satisfies RoleDeps
}

/** For mails to other people about what a user did. */
function noticeDepsFromEnvironment() {
  return {
    mailBudgets: createMailBudgets(documents, accountsTable()),
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    logger,
  }
}

/** For changing API clients, with the mails about it. */
export function changeApiClientDepsFromEnvironment(): ChangeApiClientDeps {
  return { ...roleDepsFromEnvironment(), ...apiClientDepsFromEnvironment() }
}

/** For reading API clients. */
export function apiClientDepsFromEnvironment() {
  const tables = allTables()
  return {
    organizations: organizationsFromEnvironment(),
    apiClients: createApiClients(documents, tables),
    ids,
    clock,
  } satisfies ApiClientDeps & { ids: Ids; clock: Clock }
}

export function changeSignInRulesDepsFromEnvironment() {
  return {
    organizations: organizationsFromEnvironment(),
    signInRules: createSignInRulesRecords(documents, allTables()),
    clients: createOAuthClients(documents, accountsTable()),
    ids,
    clock,
  } satisfies ChangeSignInRulesDeps
}

function organizationDeletionsFromEnvironment(): OrganizationDeletions {
  return createOrganizationDeletions(documents, allTables())
}

export function restoreOrganizationDepsFromEnvironment(): RestoreOrganizationDeps {
  return { ...organizationDepsFromEnvironment(), deletions: organizationDeletionsFromEnvironment() }
}

/** For deleting and erasing organizations, without what the gateway knows. */
export function organizationDeletionDepsFromEnvironment(): Omit<DeleteOrganizationDeps, 'debts'> &
  Omit<EraseOrganizationsDeps, 'customers'> {
  return {
    ...organizationDepsFromEnvironment(),
    deletions: organizationDeletionsFromEnvironment(),
    ...noticeDepsFromEnvironment(),
  }
}
