//! Cities, streets and mail domains, the common ones first.

/// Cities with the state they lie in and the first three digits of their postcodes.
pub const CITIES: [(&str, &str, &str); 100] = [
    ("New York", "NY", "100"),
    ("Los Angeles", "CA", "900"),
    ("Chicago", "IL", "606"),
    ("Houston", "TX", "770"),
    ("Phoenix", "AZ", "850"),
    ("Philadelphia", "PA", "191"),
    ("San Antonio", "TX", "782"),
    ("San Diego", "CA", "921"),
    ("Dallas", "TX", "752"),
    ("San Jose", "CA", "951"),
    ("Austin", "TX", "787"),
    ("Jacksonville", "FL", "322"),
    ("Fort Worth", "TX", "761"),
    ("Columbus", "OH", "432"),
    ("Charlotte", "NC", "282"),
    ("Indianapolis", "IN", "462"),
    ("San Francisco", "CA", "941"),
    ("Seattle", "WA", "981"),
    ("Denver", "CO", "802"),
    ("Washington", "DC", "200"),
    ("Nashville", "TN", "372"),
    ("Oklahoma City", "OK", "731"),
    ("El Paso", "TX", "799"),
    ("Boston", "MA", "021"),
    ("Portland", "OR", "972"),
    ("Las Vegas", "NV", "891"),
    ("Detroit", "MI", "482"),
    ("Memphis", "TN", "381"),
    ("Louisville", "KY", "402"),
    ("Baltimore", "MD", "212"),
    ("Milwaukee", "WI", "532"),
    ("Albuquerque", "NM", "871"),
    ("Tucson", "AZ", "857"),
    ("Fresno", "CA", "937"),
    ("Sacramento", "CA", "958"),
    ("Kansas City", "MO", "641"),
    ("Mesa", "AZ", "852"),
    ("Atlanta", "GA", "303"),
    ("Omaha", "NE", "681"),
    ("Colorado Springs", "CO", "809"),
    ("Raleigh", "NC", "276"),
    ("Long Beach", "CA", "908"),
    ("Virginia Beach", "VA", "234"),
    ("Miami", "FL", "331"),
    ("Oakland", "CA", "946"),
    ("Minneapolis", "MN", "554"),
    ("Tulsa", "OK", "741"),
    ("Tampa", "FL", "336"),
    ("Arlington", "TX", "760"),
    ("New Orleans", "LA", "701"),
    ("Wichita", "KS", "672"),
    ("Bakersfield", "CA", "933"),
    ("Cleveland", "OH", "441"),
    ("Aurora", "CO", "800"),
    ("Anaheim", "CA", "928"),
    ("Honolulu", "HI", "968"),
    ("Santa Ana", "CA", "927"),
    ("Riverside", "CA", "925"),
    ("Corpus Christi", "TX", "784"),
    ("Lexington", "KY", "405"),
    ("Stockton", "CA", "952"),
    ("Saint Louis", "MO", "631"),
    ("Saint Paul", "MN", "551"),
    ("Henderson", "NV", "890"),
    ("Pittsburgh", "PA", "152"),
    ("Cincinnati", "OH", "452"),
    ("Anchorage", "AK", "995"),
    ("Greensboro", "NC", "274"),
    ("Plano", "TX", "750"),
    ("Newark", "NJ", "071"),
    ("Lincoln", "NE", "685"),
    ("Orlando", "FL", "328"),
    ("Irvine", "CA", "926"),
    ("Toledo", "OH", "436"),
    ("Jersey City", "NJ", "073"),
    ("Chula Vista", "CA", "919"),
    ("Durham", "NC", "277"),
    ("Fort Wayne", "IN", "468"),
    ("Saint Petersburg", "FL", "337"),
    ("Laredo", "TX", "780"),
    ("Buffalo", "NY", "142"),
    ("Madison", "WI", "537"),
    ("Lubbock", "TX", "794"),
    ("Chandler", "AZ", "853"),
    ("Scottsdale", "AZ", "854"),
    ("Reno", "NV", "895"),
    ("Glendale", "CA", "912"),
    ("Norfolk", "VA", "235"),
    ("Winston-Salem", "NC", "271"),
    ("Chesapeake", "VA", "233"),
    ("Boise", "ID", "837"),
    ("Richmond", "VA", "232"),
    ("Baton Rouge", "LA", "708"),
    ("Spokane", "WA", "992"),
    ("Des Moines", "IA", "503"),
    ("Tacoma", "WA", "984"),
    ("Rochester", "NY", "146"),
    ("Salt Lake City", "UT", "841"),
    ("Little Rock", "AR", "722"),
    ("Providence", "RI", "029"),
];

/// First halves of the names of small towns.
pub const TOWN_STARTS: &str = "Ash Bay Bell Birch Bloom Bridge Brook Cedar Center Clear Clinton Cran Cross Dover Eagle East \
Edge Elm Fair Frank Glen Grand Green Hamil Harris Hill Hudson Jack Jeffer King Lake Lan Lime Mad Maple Mid Mil Mill Mont \
New North Oak Ox Pine Plain Pleas River Rock Rose Salem Sand South Spring Stone Sun Union Wal Water West White Wind Wood";
/// Second halves.
pub const TOWN_ENDS: &str = "boro bridge brook burg bury caster chester dale field ford gate grove ham haven hill hurst \
land lawn mere mont mouth point port ridge ridge shire side son stead stone ton town vale view ville water way wick wood worth";
/// States for small towns.
pub const STATES: &str = "TX CA FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME MT RI DE SD ND AK VT WY";

/// Names of streets.
pub const STREETS: &str = "Main Second First Third Park Fourth Oak Fifth Pine Maple Cedar Sixth Elm View Washington Seventh \
Lake Hill Walnut Eighth Spring North Ridge Lincoln Church Willow Mill Sunset Railroad Jackson Cherry West South Center \
Highland Johnson Forest Jefferson Hickory Wilson River Meadow Valley Smith East Chestnut Adams Prospect Franklin Locust \
Green Birch Dogwood Williams Poplar Davis Madison Liberty Monroe Spruce Rose Grant Woodland Magnolia Broad Union Laurel \
Pleasant College Harrison Cleveland School Holly Court Front Sycamore Market Summit Garden Hillcrest Fairview Pearl \
Clark Vine Colonial Delaware Canyon Orchard Juniper Brook Cottage Grove Beech Aspen Ash Charles Bridge State King Queen";

/// Kinds of streets and their short forms.
pub const STREET_KINDS: [(&str, &str); 12] = [
    ("Street", "St."),
    ("Avenue", "Ave."),
    ("Road", "Rd."),
    ("Drive", "Dr."),
    ("Lane", "Ln."),
    ("Court", "Ct."),
    ("Boulevard", "Blvd."),
    ("Place", "Pl."),
    ("Way", "Wy."),
    ("Circle", "Cir."),
    ("Terrace", "Ter."),
    ("Square", "Sq."),
];

/// Mail domains.
pub const DOMAINS: &str = "gmail.com yahoo.com hotmail.com aol.com outlook.com icloud.com comcast.net msn.com live.com \
example.com mail.com protonmail.com verizon.net att.net sbcglobal.net bellsouth.net charter.net cox.net example.org fastmail.com";
