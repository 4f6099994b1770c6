/** The pages that choose, make and manage organizations: a file of their own in the bundle. */
export { ActivityPage } from './ActivityPage.tsx'
export { ApiClientsPage } from './ApiClientsPage.tsx'
export { ChooseOrganizationPage } from './ChooseOrganizationPage.tsx'
export { MembersPage } from './MembersPage.tsx'
export { NewOrganizationPage } from './NewOrganizationPage.tsx'
export { SettingsPage } from './SettingsPage.tsx'
