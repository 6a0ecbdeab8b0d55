/**
 * The nouns the illustrator can draw, each with the words people use for it, how tall it is and where it lives. Only
 * words listed here are ever matched, whole: "movie" is not a camera, "flower" is not a stamp. Sprites named `own:` are
 * drawn by us because the emoji of that name is only a head.
 */
import type { Place } from './vocabulary.ts';

/** What a noun is, which decides where in an image it may stand. */
export type Role =
  | 'animal'
  | 'flyer'
  | 'swimmer'
  | 'boat'
  | 'vehicle'
  | 'building'
  | 'plant'
  | 'person'
  | 'thing'
  | 'space';

/** A thing that can be drawn. */
export interface Noun {
  sprite: string;
  role: Role;
  /** Height in the image's own metres: kind to small things, so that a cat beside a house can be seen. */
  height: number;
  words: string[];
  /** The place it is drawn in when the prompt names none; undefined: a studio still life. */
  home?: Place;
}

/** `role home`, then one noun a line: sprite, height, words (underscore for a space). */
const TABLE = `
= animal room
hamster 0.6 hamster guinea_pig
cat 0.9 cat kitten kitty tabby siamese maine_coon persian_cat ginger_cat
black-cat 0.9 black_cat
dog 1 dog puppy hound golden_retriever retriever labrador terrier spaniel bulldog beagle husky dachshund corgi collie german_shepherd sheepdog chihuahua pug dalmatian rottweiler greyhound
poodle 1 poodle
= animal meadow
cow 1.9 cow cattle
pig 1.2 pig piglet boar
horse 2.2 horse pony stallion mare foal
own:unicorn 2.2 unicorn
ewe 1.3 sheep lamb ewe
ram 1.4 ram
goat 1.3 goat
donkey 1.7 donkey mule
ox 1.9 ox bull buffalo
rabbit 0.7 rabbit bunny hare
rooster 0.8 rooster cockerel
front-facing-baby-chick 0.5 chick
own:hen 0.7 hen chicken
turkey 0.9 turkey
snail 0.45 snail
lizard 0.4 lizard gecko chameleon iguana
hedgehog 0.6 hedgehog armadillo porcupine
mouse 0.45 mouse mice mole shrew
own:lion 1.6 lion lioness
tiger 1.6 tiger
leopard 1.4 leopard cheetah jaguar panther lynx puma cougar
elephant 3.2 elephant mammoth
giraffe 4 giraffe
zebra 1.9 zebra
kangaroo 1.7 kangaroo wallaby
t-rex 4 dinosaur t-rex tyrannosaurus
sauropod 4.5 sauropod brontosaurus diplodocus
llama 1.8 llama alpaca
lady-beetle 0.3 ladybug ladybird
= animal forest
own:fox 1 fox vixen
own:bear 1.8 bear grizzly
own:wolf 1.2 wolf wolves hyena coyote jackal
own:panda 1.4 panda
own:koala 1 koala
deer 2 deer stag doe fawn reindeer elk
moose 2.3 moose
raccoon 0.8 raccoon
skunk 0.7 skunk
chipmunk 0.6 squirrel chipmunk
beaver 0.8 beaver platypus
otter 0.7 otter meerkat weasel ferret mongoose
badger 0.8 badger
owl 0.9 owl barn_owl
mushroom 0.7 mushroom toadstool
= animal jungle
monkey 1 monkey chimp lemur baboon
gorilla 1.8 gorilla ape
orangutan 1.5 orangutan
crocodile 1.1 crocodile alligator
snake 0.8 snake python cobra eel
parrot 0.8 parrot macaw
peacock 1.2 peacock
own:frog 0.6 frog toad
spider 0.4 spider
sloth 1 sloth
= animal desert
camel 2.3 camel dromedary
two-hump-camel 2.3 bactrian_camel
scorpion 0.5 scorpion
= animal snow
penguin 1.1 penguin
own:polar-bear 1.8 polar_bear
seal 0.9 seal sea_lion walrus
snowman-without-snow 1.7 snowman
= animal village
own:skeleton 1.8 skeleton
= animal beach
crab 0.5 crab
lobster 0.5 lobster
flamingo 1.5 flamingo
turtle 0.7 turtle tortoise
= animal mountains
dragon 4 dragon
= flyer sky
bird 0.5 bird sparrow bluebird songbird
black-bird 0.5 raven crow blackbird
eagle 1.1 eagle hawk falcon
dove 0.6 dove pigeon seagull gull
bat 0.5 bat
airplane 2.4 airplane aeroplane plane jet aircraft
small-airplane 2 biplane small_plane glider
helicopter 2.2 helicopter chopper
parachute 2.4 parachute
= flyer meadow
butterfly 0.5 butterfly moth dragonfly
honeybee 0.4 bee honeybee bumblebee
kite 1 kite
red-paper-lantern 1 paper_lantern sky_lantern chinese_lantern
balloon 1 balloon
own:hot-air-balloon 4 hot_air_balloon hot-air_balloon blimp zeppelin airship
= swimmer underwater
fish 0.6 fish goldfish
tropical-fish 0.6 tropical_fish
blowfish 0.6 pufferfish blowfish
shark 1.8 shark
octopus 1 octopus squid
jellyfish 0.9 jellyfish
shrimp 0.5 shrimp prawn
coral 0.8 coral
= swimmer sea
whale 3 whale
dolphin 1.4 dolphin porpoise
orca 2 orca
= swimmer lake
duck 0.7 duck duckling mallard
goose 0.9 goose geese
swan 1 swan
= boat sea
sailboat 2.8 sailboat sailing_boat yacht boat dinghy pirate_ship sailing_ship galleon tall_ship
ship 3.6 ship steamer ocean_liner
passenger-ship 3.6 cruise_ship ferry
motor-boat 1.8 motorboat speedboat jet_ski
= boat lake
canoe 0.9 canoe kayak gondola raft
person-rowing-boat 1.3 rower rowboat rowing_boat
= vehicle street
automobile 1.7 car automobile sedan sports_car convertible cabriolet
sport-utility-vehicle 1.8 suv jeep
taxi 1.7 taxi cab
bus 2.8 bus school_bus
tram-car 2.9 tram trolley streetcar
delivery-truck 2.6 truck lorry van cement_mixer garbage_truck moving_van
racing-car 1.2 race_car racing_car formula_one_car
fire-engine 2.6 fire_engine fire_truck firetruck
police-car 1.7 police_car
bicycle 1.4 bicycle bike tricycle unicycle
motorcycle 1.4 motorcycle motorbike
motor-scooter 1.4 scooter moped vespa
= vehicle field
tractor 2.4 tractor excavator digger bulldozer forklift
locomotive 3 train locomotive steam_train
= building village
house 4 house cottage home farmhouse
house-with-garden 4 house_with_a_garden
hut 3 hut cabin shack
church 5 church chapel
= building city
hospital 5 hospital clinic
school 5 school schoolhouse
factory 5 factory
bank 5 bank_building
office-building 6 office_building office_tower fire_station police_station police_department prison apartment_building
stadium 4 stadium football_stadium soccer_stadium baseball_stadium arena
tokyo-tower 26 eiffel_tower tokyo_tower radio_tower television_tower
= building mountains
castle 6 castle fortress palace
tent 1.9 tent
= building sea
lighthouse 6 lighthouse
= building desert
mosque 5 mosque taj_mahal
own:pyramid 6 pyramid
= building meadow
own:windmill 5 windmill wind_turbine wind_farm
ferris-wheel 6 ferris_wheel
circus-tent 4 circus_tent circus
= building garden
fountain 2.4 fountain
wedding 4 ~wedding
statue-of-liberty 16 statue_of_liberty
moai 3 moai totem totem_pole
= building mountains
volcano 6 volcano
= building village
derelict-house 4 haunted_house derelict_house abandoned_house
= vehicle street
auto-rickshaw 1.9 rickshaw tuk-tuk
trolleybus 2.8 trolleybus
= vehicle mountains
mountain-cableway 2.4 cable_car
= animal garden
mosquito 0.3 mosquito
fly 0.3 housefly
cockroach 0.3 cockroach
= plant meadow
deciduous-tree 4.5 tree oak maple apple_tree cherry_tree lemon_tree orange_tree olive_tree pear_tree peach_tree chestnut_tree
evergreen-tree 4.5 pine_tree fir_tree
christmas-tree 4.5 christmas_tree
sunflower 1.6 sunflower
= plant garden
tulip 0.9 tulip
rose 0.9 ~rose roses
hibiscus 0.9 hibiscus flower lily orchid
blossom 0.7 daisy daisies marigold
hyacinth 0.9 hyacinth lavender_plant
lotus 0.6 lotus water_lily lily_pad
cherry-blossom 0.7 cherry_blossom sakura
= plant beach
palm-tree 4.5 palm palm_tree coconut_tree
= plant desert
cactus 2.4 cactus cacti
= person meadow
man-standing 1.9 man guy gentleman farmer
woman-standing 1.85 woman lady
man-standing 1.35 boy
woman-standing 1.3 girl
person-walking 1.9 person walker hiker traveller traveler wanderer
woman-and-man-holding-hands 1.9 couple lovers
family 1.8 family people
child 1.2 child children kid toddler
man-running 1.9 runner jogger
person-biking 1.9 cyclist
ballet-dancer 1.9 ballerina dancer
man-in-lotus-position 1.3 yogi monk
woman-in-lotus-position 1.3 yoga yoga_class
superhero 1.9 superhero superheroine
ghost 1.6 ghost
= person sea
person-surfing 1.8 surfer
mermaid 1.6 mermaid
= person snow
skier 1.8 skier
snowboarder 1.8 snowboarder
= space space
own:astronaut 2 astronaut cosmonaut spaceman
rocket 3 rocket spaceship spacecraft space_ship rocket_ship
flying-saucer 2 ufo flying_saucer
satellite 1.8 satellite
own:alien 1.6 alien martian
own:planet 3 ~planet planets ringed_planet saturn
= thing studio
own:robot 1.7 robot android
red-apple 1 apple
lemon 1 lemon
banana 1 banana
tangerine 1 ~orange oranges tangerine mandarin
grapes 1 grapes grape
strawberry 1 strawberry strawberries raspberry raspberries
watermelon 1 watermelon
pineapple 1 pineapple
cherries 1 cherry cherries
pear 1 pear
peach 1 ~peach peaches apricot nectarine plum
mango 1 mango papaya
kiwi-fruit 1 kiwi_fruit
avocado 1 avocado
tomato 1 tomato tomatoes
carrot 1 carrot
eggplant 1 eggplant aubergine
broccoli 1 broccoli
ear-of-corn 1 corn sweetcorn
hot-pepper 1 chili chilli
bread 1 bread loaf
croissant 1 croissant
baguette-bread 1 baguette
pretzel 1 pretzel
pancakes 1 pancake pancakes
cheese-wedge 1 cheese
egg 1 egg
hamburger 1 burger hamburger cheeseburger
french-fries 1 fries french_fries chips
pizza 1 slice_of_pizza pizza_slice piece_of_pizza
own:pizza 1 pizza
hot-dog 1 hot_dog
taco 1 taco
sushi 1 sushi
steaming-bowl 1 ramen noodles noodle_soup soup
spaghetti 1 spaghetti pasta
doughnut 1 donut doughnut
cookie 1 cookie biscuit
birthday-cake 1 birthday_cake wedding_cake
shortcake 1 cake
cupcake 1 cupcake muffin
chocolate-bar 1 chocolate
lollipop 1 lollipop candy_cane
soft-ice-cream 1 ice_cream ice_cream_cone
honey-pot 1 honey
hot-beverage 1 coffee tea cup cappuccino espresso hot_chocolate mug
teapot 1 teapot kettle
wine-glass 1 wine wine_glass bottle_of_wine wine_bottle
beer-mug 1 beer
cocktail-glass 1 cocktail martini
tropical-drink 1 tropical_drink
glass-of-milk 1 milk
crown 1 crown tiara
gem-stone 1 diamond gem gemstone jewel
ring 1 engagement_ring wedding_ring gold_ring diamond_ring silver_ring golden_ring ring_of_gold
shield 1 shield
crossed-swords 1 sword swords
key 1 ~key keys
old-key 1 old_key antique_key
locked 1 padlock ~lock
candle 1 candle
light-bulb 1 light_bulb lightbulb
guitar 1.2 guitar
violin 1.2 violin fiddle cello viola double_bass
trumpet 1 trumpet
saxophone 1 saxophone
drum 1 drum drums drum_kit
accordion 1 accordion
microphone 1 microphone
headphone 1 headphones
radio 1 radio
television 1 television tv tv_set
laptop 1 laptop computer
mobile-phone 1 smartphone mobile_phone tablet
telephone 1 telephone
camera 1 camera
video-camera 1 video_camera
movie-camera 1 film_camera movie_camera
telescope 1 telescope
microscope 1 microscope
globe-showing-europe-africa 1 globe earth
world-map 1 map world_map atlas
dna 1 dna dna_helix double_helix
stethoscope 1 stethoscope
syringe 1 syringe
handshake 1 handshake
ladder 1 ladder
carpentry-saw 1 ~saw handsaw
gear 1 cogwheel ~gear
open-book 1 open_book
closed-book 1 book
books 1 books
scroll 1 scroll
envelope 1 ~letter envelope
pencil 1 pencil
artist-palette 1 artist's_palette paint_palette
scissors 1 scissors
hammer 1 hammer
magnifying-glass-tilted-left 1 magnifying_glass
hourglass-done 1 hourglass
alarm-clock 1 alarm_clock clock
watch 1 wristwatch ~watch pocket_watch smartwatch
compass 1 compass
anchor 1 anchor
umbrella 1 umbrella
backpack 1 backpack rucksack
handbag 1 handbag purse tote_bag shoulder_bag ~bag wallet clutch_bag
top-hat 1 top_hat
running-shoe 1 sneaker shoe trainers
high-heeled-shoe 1 high_heel high_heels
dress 1 ~dress
glasses 1 spectacles glasses
wrapped-gift 1 gift present
teddy-bear 1 teddy teddy_bear
soccer-ball 1 football soccer_ball beach_ball
basketball 1 basketball
tennis 1 tennis_racket
trophy 1 trophy
game-die 1 dice
chess-pawn 1 chess chessboard chess_board chess_pawn pawn
puzzle-piece 1 puzzle_piece puzzle jigsaw jigsaw_puzzle
crystal-ball 1 crystal_ball
magic-wand 1 magic_wand wand
treasure-chest 1 treasure treasure_chest
jack-o-lantern 1 pumpkin jack-o-lantern
skull 1 skull
broken-heart 1 broken_heart
red-heart 1 heart
potted-plant 1 potted_plant houseplant
bouquet 1 bouquet bouquet_of_flowers bunch_of_flowers flower_bouquet bouquet_of_roses
four-leaf-clover 1 four-leaf_clover clover
maple-leaf 1 maple_leaf
fallen-leaf 1 leaf
feather 1 feather
spiral-shell 1 seashell shell
chair 1.2 chair stool deck_chair lounge_chair throne highchair
bed 2.4 ~bed double_bed bunk_bed king-size_bed four-poster_bed hospital_bed single_bed
person-in-bed 2.4 someone_in_bed
couch-and-lamp 2.2 sofa couch
shopping-cart 1 shopping_cart
joystick 1 joystick
= thing studio
spider-web 1 spider_web spiderweb cobweb spider's_web
love-letter 1 love_letter
sun-with-face 1 smiling_sun
= animal room
guide-dog 1.1 guide_dog
= animal meadow
hippopotamus 1.8 hippopotamus hippo
rhinoceros 1.9 rhinoceros rhino
bison 1.9 bison yak
dodo 1 dodo ostrich emu
phoenix 1.8 phoenix
bug 0.4 caterpillar
ant 0.4 ant
beetle 0.4 beetle
cricket 0.4 cricket grasshopper
worm 0.4 worm earthworm
rat 0.5 rat
= building city
japanese-castle 6 pagoda japanese_castle
hindu-temple 5 temple
shinto-shrine 4 shrine torii torii_gate
classical-building 5 museum courthouse parthenon
hotel 6 hotel
roller-coaster 5 roller_coaster
carousel-horse 2 carousel merry-go-round
kaaba 4 kaaba
synagogue 5 synagogue
= vehicle street
own:skateboard 0.3 skateboard
kick-scooter 1.2 kick_scooter
roller-skate 0.8 roller_skate
ambulance 2.4 ambulance
pickup-truck 1.9 pickup_truck
minibus 2.4 minibus
articulated-lorry 2.9 semi_truck trailer_truck
high-speed-train 2.8 bullet_train
railway-car 2.8 railway_car train_car
= vehicle snow
sled 1.2 sled sleigh sledge toboggan
= plant garden
pine-decoration 2 bamboo
wilted-flower 1 wilted_flower
herb 0.7 herb basil mint parsley fern ivy
seedling 0.6 seedling sprout sapling
sheaf-of-rice 1 sheaf wheat_sheaf
= thing studio
musical-keyboard 1 piano grand_piano synthesizer
banjo 1.2 banjo
long-drum 1 conga djembe
maracas 1 maracas
flute 1 flute
bow-and-arrow 1 bow_and_arrow longbow arrow
axe 1 axe hatchet
pick 1 pickaxe
bomb 1 bomb
magnet 1 magnet
nest-with-eggs 1 nest
empty-nest 1 empty_nest
mirror 1 ~mirror
flashlight 1 flashlight
newspaper 1 newspaper magazine
bottle-with-popping-cork 1 champagne
sake 1 sake
amphora 1 amphora ~vase urn
jar 1 jar glass_jar mason_jar jam
own:bottle 1 bottle
lotion-bottle 1 lotion shampoo sunscreen
own:perfume 1 perfume cologne
own:box 1 box package parcel crate cardboard_box
printer 1 printer
desktop-computer 1 desktop_computer
battery 1 battery
floppy-disk 1 floppy_disk
film-projector 1 projector
telephone-receiver 1 telephone_receiver
safety-pin 1 safety_pin
paperclip 1 paperclip paper_clip
broom 1 broom broomstick mop rake
bucket 1 bucket pail
soap 1 soap
toothbrush 1 toothbrush
sponge 1 sponge
yarn 1 ball_of_yarn
toilet 1 toilet
bathtub 1.2 bathtub
razor 1 razor
chestnut 1 nut chestnut acorn
peanuts 1 peanut
coconut 1 coconut
olive 1 olive
bell-pepper 1 bell_pepper paprika ~pepper peppers
cucumber 1 cucumber pickle
leafy-green 1 lettuce cabbage spinach
garlic 1 garlic
onion 1 onion
potato 1 potato
beans 1 beans bean
ginger-root 1 ginger_root
pea-pod 1 pea peas
blueberries 1 blueberry blueberries blackberry blackberries currant
waffle 1 waffle
bagel 1 bagel
flatbread 1 flatbread
falafel 1 falafel
burrito 1 burrito
bacon 1 bacon
cut-of-meat 1 steak meat
meat-on-bone 1 meat_on_the_bone
poultry-leg 1 chicken_leg
sandwich 1 sandwich
stuffed-flatbread 1 kebab gyro
green-salad 1 salad
popcorn 1 popcorn
bento-box 1 bento bento_box
cooked-rice 1 rice
curry-rice 1 curry
pot-of-food 1 stew casserole cooking_pot ~pot saucepan
fried-shrimp 1 fried_shrimp tempura
dango 1 dango
moon-cake 1 moon_cake
dumpling 1 dumpling
fortune-cookie 1 fortune_cookie
takeout-box 1 takeout_box
pie 1 pie
custard 1 pudding custard flan
candy 1 candy sweets
canned-food 1 tin_can can_of_soup can_of_beans ~can tin
baby-bottle 1 baby_bottle
tumbler-glass 1 whisky whiskey
bubble-tea 1 bubble_tea milkshake smoothie
cup-with-straw 1 soda lemonade juice
chopsticks 1 chopsticks
fork-and-knife 1 cutlery fork
spoon 1 spoon
kitchen-knife 1 knife kitchen_knife
fondue 1 fondue
shaved-ice 1 shaved_ice
ice-cream 1 sundae
bone 1 bone
brain 1 brain
coin 1 coin
money-bag 1 money_bag
dollar-banknote 1 money banknote cash
credit-card 1 credit_card
chart-increasing 1 ~chart
calendar 1 calendar
clipboard 1 clipboard
notebook-with-decorative-cover 1 notebook diary journal
bookmark 1 bookmark
fountain-pen 1 pen fountain_pen
paintbrush 1 paintbrush
straight-ruler 1 ruler
triangular-ruler 1 set_square
hammer-and-wrench 1 tools
wrench 1 wrench spanner
screwdriver 1 screwdriver
nut-and-bolt 1 ~bolt screw
toolbox 1 toolbox
chains 1 chains ~chain
hook 1 hook
test-tube 1 test_tube
petri-dish 1 petri_dish
alembic 1 alembic flask potion beaker
satellite-antenna 1 antenna satellite_dish
pill 1 pill
adhesive-bandage 1 bandage
sewing-needle 1 needle
nazar-amulet 1 amulet
prayer-beads 1 beads necklace bracelet
ribbon 1 ribbon
admission-tickets 1 ticket
military-medal 1 medal
sports-medal 1 sports_medal
volleyball 1 volleyball
american-football 1 american_football
rugby-football 1 rugby_ball
baseball 1 baseball
softball 1 softball
bowling 1 bowling_ball bowling_pin
field-hockey 1 hockey_stick
ice-hockey 1 hockey_puck
badminton 1 badminton shuttlecock
boxing-glove 1 boxing_glove
goal-net 1 ~goal
flag-in-hole 1 golf_flag
ice-skate 1 ice_skate
fishing-pole 1 fishing_rod
diving-mask 1 diving_mask
skis 1 skis ~ski
curling-stone 1 curling_stone
bullseye 1 dartboard ~target
yo-yo 1 yo-yo
pool-8-ball 1 billiard_ball
video-game 1 video_game controller game_controller gamepad remote_control
slot-machine 1 slot_machine
pinata 1 pinata
mirror-ball 1 disco_ball mirror_ball
nesting-dolls 1 matryoshka doll
framed-picture 1 framed_picture picture_frame oil_painting_in_a_frame
performing-arts 1 theatre_mask ~mask mask_of_comedy
joker 1 playing_card
loudspeaker 1 loudspeaker speaker amplifier
megaphone 1 megaphone
bell 1 ~bell
musical-score 1 sheet_music
shopping-bags 1 shopping_bag
briefcase 1 briefcase suitcase
luggage 1 luggage
ballet-shoes 1 ballet_shoes
womans-boot 1 boot
hiking-boot 1 hiking_boot
thong-sandal 1 flip-flop
lipstick 1 lipstick
goggles 1 goggles vr_headset virtual_reality_headset vr_goggles
rescue-workers-helmet 1 helmet
womans-hat 1 sun_hat straw_hat
graduation-cap 1 graduation_cap
military-helmet 1 military_helmet
folding-hand-fan 1 ~fan hand_fan
headstone 1 gravestone tombstone
coffin 1 coffin
cigarette 1 cigarette
thermometer 1 thermometer
mantelpiece-clock 1 mantelpiece_clock
stopwatch 1 stopwatch
timer-clock 1 timer
ballot-box-with-ballot 1 ballot_box
file-cabinet 1 filing_cabinet
wastebasket 1 wastebasket bin trash_can garbage_can trash_bin
balance-scale 1 balance_scale
probing-cane 1 cane
fire-extinguisher 1 fire_extinguisher
oil-drum 1.3 barrel keg
fuel-pump 1 fuel_pump
wheel 1 ~wheel tyre
playground-slide 1.6 playground_slide
diya-lamp 0.8 diya oil_lamp clay_lamp
own:lamp 1.6 lamp floor_lamp desk_lamp
basket 1 basket picnic_basket
closed-mailbox-with-raised-flag 1.2 mailbox letterbox
postbox 1.5 postbox
butter 1 stick_of_butter ~butter
melon 1 melon
lime 1 ~lime limes
harp 1.6 harp
trombone 1 trombone
shovel 1 shovel spade
boomerang 1 boomerang
ring-buoy 1 lifebuoy
party-popper 1 party_popper
flying-disc 1 frisbee
abacus 1 abacus
computer-mouse 1 computer_mouse
keyboard 1 keyboard
wind-chime 1 wind_chime
ice 1 ice_cube
= thing meadow
own:fence 1.1 fence picket_fence wooden_fence white_picket_fence
own:bench 1.2 bench park_bench garden_bench wooden_bench
own:swing 1.9 swing
own:flag 2.2 flag
own:campfire 1 campfire bonfire camp_fire
fire 1.8 blaze
tornado 6 tornado whirlwind
own:picnic 0.9 picnic picnic_blanket
own:scarecrow 1.9 scarecrow
own:trampoline 1 trampoline
= thing garden
own:grill 1.3 grill barbecue bbq barbecue_grill
= thing studio
rock 1 boulder
wood 0.8 tree_log wooden_log
= thing village
own:wall 1.5 stone_wall garden_wall
own:brick-wall 1.5 brick_wall
= thing room
own:fishbowl 1 goldfish_bowl fish_tank fish_bowl
own:coffee-machine 1 coffee_machine espresso_machine coffee_maker espresso_maker coffeemaker
own:blackboard 1.7 blackboard chalkboard whiteboard
own:fridge 1.9 fridge refrigerator freezer
own:stove 1.3 stove oven cooker
own:washer 1.3 washing_machine dishwasher
own:armchair 1.3 armchair recliner
own:rocking-chair 1.4 rocking_chair
= thing beach
own:sandcastle 1 sandcastle sand_castle
own:surfboard 1.8 surfboard
umbrella-on-ground 2 parasol beach_umbrella
= thing street
bus-stop 2 bus_stop
horizontal-traffic-light 1.2 traffic_light
stop-sign 1.6 stop_sign
own:stroller 1.2 stroller pram baby_carriage
own:lamppost 2.8 lamppost lamp_post street_lamp street_light streetlight streetlamp
= flyer sky
comet 1.2 ~comet meteor
= building river
own:bridge 2.4 bridge footbridge stone_bridge wooden_bridge
= building sea
own:suspension 3.4 suspension_bridge golden_gate_bridge golden_gate brooklyn_bridge
= building jungle
own:waterfall 6 waterfall cascade
= building mountains
own:tunnel 3.6 tunnel railway_tunnel train_tunnel
= boat underwater
own:submarine 2.4 submarine u-boat
= building field
own:airport 5 airport airport_terminal control_tower
= building street
own:station 5 train_station railway_station subway_station metro_station station_hall
= building lake
own:fuji 60 fuji mount_fuji mt_fuji
= thing garden
own:puddle 0.05 puddle
= thing meadow
own:beehive 1.2 beehive hive
= thing forest
own:branch 1.6 tree_branch
= boat sea
own:iceberg 3.4 iceberg ice_floe
= building snow
own:igloo 2.4 igloo
= building street
own:shop 4.4 shopfront
own:stall 2.6 stall market_stall fruit_stand fruit_stall food_stall vegetable_stall kiosk
= building garden
own:lemonade-stand 2.2 lemonade_stand
= building village
own:barn 4.4 barn
own:well 2 stone_well water_well wishing_well
own:coop 1.6 henhouse chicken_coop hen_house
own:kennel 1.3 kennel doghouse dog_house
own:tower 6 tower watchtower
own:clock-tower 6 clock_tower clocktower bell_tower big_ben
= building city
building-construction 5 construction_site building_site
= thing studio
own:table 1.2 table desk dinner_table dining_table kitchen_table coffee_table picnic_table
scarf 1 scarf
billed-cap 1 baseball_cap
top-hat 1 hat
sunglasses 1 sunglasses
bowl-with-spoon 1 cereal porridge oatmeal
cooking 1 fried_egg frying_pan skillet wok ~pan
menorah 1 menorah
t-shirt 1 t-shirt tee_shirt tshirt shirt blouse
jeans 1 jeans
necktie 1 necktie
own:bow-tie 1 bow_tie bowtie
gloves 1 gloves glove
socks 1 socks sock stocking
= thing studio
own:bowl 1 bowl
own:plate 1 plate saucer platter
own:tray 1 tray serving_tray
own:glass 1 ~glass glass_of_water water_glass drinking_glass
own:jug 1 jug pitcher carafe
own:cauldron 1.3 cauldron
own:pillow 1 pillow cushion
own:blanket 1 blanket towel quilt duvet
own:toaster 1 toaster
own:microwave 1 microwave microwave_oven
own:lantern 1 lantern
own:torch 1 torch
own:net 1.2 net fishing_net
door 2.2 ~door front_door
knot 1 rope knot
crutch 1 crutch
tooth 1 tooth
shower 1.8 ~shower
shallow-pan-of-food 1 paella
green-apple 1 green_apple
oyster 1 oyster clam
rice-ball 1 rice_ball onigiri
root-vegetable 1 turnip beetroot radish
salt 1 salt salt_shaker
brown-mushroom 1 brown_mushroom shiitake
clapper-board 1 clapperboard clapper
optical-disk 1 cd dvd vinyl_record
videocassette 1 videocassette vhs_tape
electric-plug 1 electric_plug plug
low-battery 1 low_battery
x-ray 1 x-ray
studio-microphone 1 studio_microphone
roll-of-paper 1 toilet_paper paper_roll
mouse-trap 1 mousetrap mouse_trap
plunger 1 plunger
ping-pong 1 ping_pong table_tennis
cricket-game 1 baseball_bat cricket_bat
rosette 1 rosette
bellhop-bell 1 bellhop_bell reception_bell
dagger 1 dagger
hair-pick 1 comb hairbrush
safety-vest 1 safety_vest life_jacket life_vest
coat 1 jacket coat
shorts 1 shorts
crayon 1 crayon
eraser 1 eraser
file-folder 1 file_folder folder
spiral-notepad 1 notepad
firecracker 1 firecracker
sparkler 1 sparkler
star 1 gold_star yellow_star golden_star
clinking-glasses 1 clinking_glasses
own:pedestal 1 pedestal podium plinth display_stand
own:flowerpot 1 flowerpot flower_pot plant_pot planter terracotta_pot clay_pot ceramic_pot
own:paper-plane 1 paper_plane paper_airplane paper_aeroplane
own:circle 1 circle_shape disc_shape
own:square 1 square_shape
own:rectangle 1 rectangle_shape
own:triangle 1 triangle_shape
own:pentagon 1 pentagon_shape
own:hexagon 1 hexagon_shape
own:octagon 1 octagon_shape
own:oval 1 oval_shape ellipse_shape
own:plain-star 1 star_shape
own:cube 1 cube_shape
own:sphere 1 sphere_shape
own:cone 1 cone_shape
own:cylinder 1 cylinder_shape
= thing room
own:shelf 1.5 shelf bookshelf_unit
own:cabinet 2 cabinet wardrobe cupboard closet dresser chest_of_drawers
own:easel 1.7 easel
own:cage 1.2 cage birdcage bird_cage
= thing garden
own:watering-can 0.8 watering_can
own:wheelbarrow 1 wheelbarrow
own:birdhouse 1.4 birdhouse bird_house
own:bush 1.2 bush shrub hedge
= thing street
own:hydrant 1 fire_hydrant hydrant
own:hoop 3 basketball_hoop
manual-wheelchair 1.5 wheelchair
= thing beach
own:starfish 0.4 starfish
= building city
convenience-store 4 supermarket convenience_store
post-office 4 post_office
`;

function parseTable(): Noun[] {
  const nouns: Noun[] = [];
  let role: Role = 'thing';
  let home: Noun['home'];
  for (const line of TABLE.trim().split('\n')) {
    if (line.startsWith('= ')) {
      const [, roleWord, homeWord] = line.split(' ');
      role = roleWord as Role;
      home = homeWord === 'studio' ? undefined : (homeWord as Place);
      continue;
    }
    const [sprite = '', height = '1', ...words] = line.split(' ');
    const noun: Noun = { sprite, role, height: Number(height), words: words.map((word) => word.replaceAll('_', ' ')) };
    if (home) noun.home = home;
    nouns.push(noun);
  }
  return nouns;
}

/** The table of nouns. */
export const NOUNS: readonly Noun[] = parseTable();

/** Plural to singular, of words that follow no rule. */
export const IRREGULAR_PLURALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    men: 'man',
    women: 'woman',
    children: 'child',
    mice: 'mouse',
    geese: 'goose',
    oxen: 'ox',
    feet: 'foot',
    teeth: 'tooth',
    dice: 'die',
    cacti: 'cactus',
  }),
);

/** English plural of a listed word; irregular ones are listed themselves. */
export function plural(word: string): string {
  if (/(?:^|wo|gentle|space|snow|fire|police|fisher)man$/.test(word)) return `${word.slice(0, -3)}men`;
  if (/(s|sh|ch|x|z)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** A word form of the list. */
export interface Entry {
  noun: Noun;
  isPlural: boolean;
  /** Such a word means something else as well: it counts only after an article, a number or a colour. */
  isAmbiguous: boolean;
}

/** Listed words that mean several, of things whose drawing shows one. */
const PLURALS =
  /(?:mice|geese|wolves|children|people|cacti|tomatoes|strawberries|peaches|oranges|limes|roses|daisies)$/;

function buildLexicon(): Map<string, Entry> {
  const lexicon = new Map<string, Entry>();
  for (const noun of NOUNS) {
    for (const listed of noun.words) {
      const isAmbiguous = listed.startsWith('~');
      const word = isAmbiguous ? listed.slice(1) : listed;
      lexicon.set(word, { noun, isPlural: PLURALS.test(word), isAmbiguous });
      if (!/(?<!s)s$/.test(word) && !lexicon.has(plural(word))) {
        lexicon.set(plural(word), { noun, isPlural: true, isAmbiguous: false });
      }
    }
  }
  return lexicon;
}

/** Every word form that can be drawn, lower case, to its noun. */
export const LEXICON: ReadonlyMap<string, Entry> = buildLexicon();
