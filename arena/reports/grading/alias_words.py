"""The words that aliases are made of: 256 of each kind, which mock nobody."""

from typing import Final

_ADJECTIVES = """
agile airy alert alpine amber ample amused apt aqua arctic ardent artful astute atomic
autumn avid awake azure balmy beaming beige blithe blooming blue bold bonny bouncy brave
breezy bright brisk bronze bubbly busy calm candid careful caring carmine cedar cheerful
cherry chipper classic clear clever coastal cobalt cool copper coral cordial cosmic cosy
courtly creamy crimson crisp curious cyan dainty dancing dapper daring dashing dazzling
decent deft diligent dreamy eager earnest ebony elegant emerald epic exact fabled fair
faithful famous fancy fearless festive fiery fine firm fleet floral fluent fluffy fond
frank fresh friendly frosty gallant generous gentle gifted gilded glad gleaming global
glossy golden graceful grateful green handy happy hardy hazel hearty helpful heroic
honest hopeful humble indigo ivory jade jaunty jazzy jolly jovial joyful jubilant keen
kind lavender leafy lemon lilac limber lively lofty logical loyal lucid lucky lunar
magic marble maroon mellow merry mighty mild mindful mint misty modern modest mossy
musical navy neat nimble noble northern novel oaken ocean olive opal open orderly
patient peaceful pearly peppy placid plucky plum poetic polar polite prime prompt proper
proud prudent purple quick quiet quirky rapid rare ready regal rosy royal ruby rustic
sapphire scarlet scenic serene sharp shining silent silver sincere sleek smart smiling
smooth snappy snowy solar solid sonic southern sparkling spirited spry stately steady
stellar sturdy subtle sunny sure swift tactful teal tender thrifty tidy topaz tranquil
trim true trusty tuneful upbeat valiant velvet verdant vibrant violet vital vivid warm
wavy western whimsical windy winged winter wise witty woven zany zesty
"""

_ANIMALS = """
aardvark addax albatross alpaca angelfish anteater antelope armadillo avocet axolotl
badger bandicoot barracuda basilisk beaver beetle beluga bison bittern blackbird bobcat
buffalo bulbul bullfinch bumblebee bunting butterfly buzzard caiman camel canary
capybara caracal cardinal caribou cassowary catfish chaffinch chameleon chamois cheetah
chickadee chinchilla chipmunk cicada civet clownfish coati cockatiel collie condor
cormorant cougar coyote crane crayfish cricket crocodile curlew damselfly deer dingo
dipper dolphin dormouse dove dragonfly dugong dunlin eagle echidna egret eider eland
elephant elk emu ermine falcon fennec ferret finch firefly flamingo fox frog gannet
gazelle gecko gerbil gibbon giraffe goldfinch goldfish gopher goshawk grayling grebe
greyhound grouper guanaco halibut hamster hare harrier hawk hedgehog heron hoopoe
hornbill hummingbird husky ibex ibis iguana impala jackdaw jaguar jay jellyfish jerboa
kangaroo kestrel kingfisher kite kiwi koala kookaburra kudu ladybird lapwing lark
lemming lemur leopard linnet lion lizard llama lobster loon lynx macaw mackerel magpie
mallard mammoth manatee mandrill mantis marmot marten meerkat merganser merlin minnow
mongoose moose moth narwhal newt nighthawk nightingale numbat nuthatch ocelot octopus
okapi orca oriole oryx osprey ostrich otter owl oyster panda pangolin panther parakeet
parrot partridge peacock pelican penguin perch petrel pheasant pika pipit platypus
plover polecat pony porcupine porpoise puffin puma quail quokka rabbit raccoon raven
redpoll redstart reindeer robin rooster sable salamander salmon sandpiper scallop
seahorse seal serval shark shrew siskin skylark snipe sparrow squirrel starfish starling
stingray stoat stork sturgeon sunfish swallow swan tamarin tapir tarsier tern thrush
tiger tortoise toucan trout turtle vole wallaby walrus warbler whippet wigeon wildcat
wolf wolverine wombat woodpecker wren yak zebra
"""

ADJECTIVES: Final = tuple(_ADJECTIVES.split())
ANIMALS: Final = tuple(_ANIMALS.split())
