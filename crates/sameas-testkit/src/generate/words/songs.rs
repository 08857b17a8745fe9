//! The words of CDs: songs, albums and bands, the common ones first.

/// Nouns of songs.
pub const SONG_NOUNS: &str = "love night heart day time life world girl baby man rain sun fire dream blue eyes moon home \
river road light sky song summer heaven angel soul water dance city star lady boy train wind morning stone devil \
house mind street mother money radio shadow garden ocean winter diamond mirror window bird island mountain desert \
thunder flower hand kiss smile tear memory story secret promise prayer freedom power rhythm groove machine rocket circus \
carnival harbour lantern sailor soldier stranger gypsy queen king child sister brother doctor teacher preacher cowboy \
highway avenue station corner bridge tower castle temple church valley meadow forest jungle canyon shore wave tide storm \
snow frost ember ash smoke candle whiskey wine coffee honey sugar cherry apple rose lily ivy raven wolf tiger lion snake";

/// Adjectives and the like.
pub const SONG_ADJECTIVES: &str = "little blue big crazy lonely last good sweet wild black white red old new cold long lost \
broken beautiful golden silver dirty gentle secret sacred silent electric distant fallen falling burning dancing sleeping \
crying laughing running rolling rising shining fading hidden holy hollow happy sad blind bitter tender second only perfect \
simple strange sudden velvet violet yellow green crystal midnight morning eternal endless empty early easy foreign frozen";

/// Verbs in the imperative.
pub const SONG_VERBS: &str = "love take give hold tell let make leave stop keep call kiss feel follow find bring break save \
show watch remember forget believe dance play come turn wait burn touch dream carry catch";

/// What a song begins or goes on with.
pub const SONG_TURNS: &str = "me you my your the a in on of for to from with without all never always again tonight forever \
away down up over under";

/// Kinds of albums, after or instead of a title.
pub const ALBUM_KINDS: [&str; 16] = [
    "Greatest Hits",
    "The Best Of",
    "Live",
    "The Very Best Of",
    "Unplugged",
    "The Singles Collection",
    "Anthology",
    "Original Soundtrack",
    "Gold",
    "The Remixes",
    "Christmas Album",
    "In Concert",
    "B-Sides and Rarities",
    "Complete Recordings",
    "Live at the Royal Albert Hall",
    "EP",
];
