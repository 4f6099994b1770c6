import { tellCustomerStory } from './customerStory.ts'

// The deep tests tell all of it.
tellCustomerStory('test/infra/console/pages/story', 'the first purchase')
