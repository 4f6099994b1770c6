import type { OrganizationId } from '../../core/ids.ts'

/**
 * Where an organization's slots are: apart from its members and its own item, because IAM knows partition keys and no sort
 * keys (`dynamodb:LeadingKeys`), and who may write a member must not write what was bought.
 */
export function productsPartition(organizationId: OrganizationId): string {
  return `PRODUCTS#${organizationId}`
}
