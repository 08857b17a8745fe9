//! Names of people, the common ones first: a place in the list is a place in Zipf's law.

/// Given names.
pub const GIVEN: &str = "Mary James John Robert Michael William David Linda Elizabeth Richard Barbara Susan Joseph \
Thomas Jessica Charles Sarah Christopher Karen Daniel Lisa Matthew Nancy Anthony Betty Mark Sandra Donald Margaret \
Steven Ashley Andrew Kimberly Paul Emily Joshua Donna Kenneth Michelle Kevin Carol Brian Amanda George Melissa \
Timothy Deborah Ronald Stephanie Jason Rebecca Edward Sharon Jeffrey Laura Ryan Cynthia Jacob Dorothy Gary Amy \
Nicholas Kathleen Eric Angela Jonathan Shirley Stephen Emma Larry Brenda Justin Pamela Scott Nicole Brandon Anna \
Benjamin Samantha Samuel Katherine Gregory Christine Alexander Helen Patrick Debra Frank Rachel Raymond Carolyn Jack \
Janet Dennis Maria Jerry Catherine Tyler Heather Aaron Diane Jose Olivia Adam Julie Nathan Joyce Henry Victoria \
Zachary Ruth Douglas Virginia Peter Lauren Kyle Kelly Noah Christina Ethan Joan Jeremy Evelyn Walter Judith \
Christian Andrea Keith Hannah Roger Megan Terry Cheryl Austin Jacqueline Sean Martha Gerald Madison Carl Teresa \
Harold Gloria Dylan Sara Arthur Janice Lawrence Ann Jordan Kathryn Jesse Abigail Bryan Sophia Billy Frances Bruce \
Jean Gabriel Alice Joe Judy Logan Isabella Alan Julia Juan Grace Albert Amber Willie Denise Elijah Danielle Wayne \
Marilyn Randy Beverly Vincent Charlotte Mason Natalie Roy Theresa Ralph Diana Bobby Brittany Russell Doris Bradley \
Kayla Philip Alexis Eugene Lori Mohammed Fatima Wei Ming Hiroshi Yuki Priya Arjun Sanjay Olga Ivan Dmitri Natasha \
Lukas Jonas Anke Jürgen Zoë Renée François Chloé José Álvaro Begoña Søren Åsa Björn Ingrid Giulia Matteo Aoife \
Niamh Siobhan Oisín Kwame Amara Chidi Ngozi Leila Omar Yusuf Aisha Tomasz Agnieszka Katarzyna Zbigniew Mihai Ioana";

/// Surnames.
pub const SURNAMES: &str = "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez \
Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez \
Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera \
Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris \
Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward \
Richardson Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel \
Myers Long Ross Foster Jimenez Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Gonzales \
Fisher Vasquez Simmons Graham Murray Ford Castro Marshall Owens Harrison Fernandez McDonald Woods Washington Kennedy \
Wells Vargas Henry Chen Freeman Webb Tucker Guzman Burns Crawford Olson Simpson Porter Hunter Gordon Mendez Silva \
Shaw Snyder Mason Dixon Muñoz Hunt Hicks Holmes Palmer Wagner Black Robertson Boyd Rose Stone Salazar Fox Warren \
Mills Meyer Rice Schmidt Garza Daniels Ferguson Nichols Stephens Soto Weaver Ryan Gardner Payne Grant Dunn Kelley \
Spencer Hawkins Arnold Pierce Hansen Peters Santos Hart Bradley Knight Elliott Cunningham Duncan Armstrong Hudson \
Carroll Lane Riley Andrews Alvarado Ray Delgado Berry Perkins Hoffman Johnston Matthews Pena Richards Contreras \
Willis Carpenter Lawrence Sandoval Guerrero George Chapman Rios Estrada Ortega Watkins Greene Nunez Wheeler Valdez \
Harper Burke Larson Santiago Maldonado Morrison Franklin Carlson Austin Dominguez Carr Lawson Jacobs O'Brien Lynch \
Singh Vega Bishop Montgomery Oliver Jensen Harvey Williamson Gilbert Dean Sims Espinoza Howell Li Wong Reid Hanson \
Le McCoy Garrett Burton Fuller Wang Weber Welch Rojas Lucas Marquez Fields Park Yang Little Banks Padilla Day Walsh \
Bowman Schultz Luna Fowler Mejia Müller Fischer Schneider Becker Schäfer Kowalski Nowak Novák Dvořák Ivanov Petrov \
Jørgensen Lindström Håkansson O'Connor O'Neill MacLeod Dubois Lefèvre Moreau Rossi Esposito Bianchi Yamamoto Tanaka";

/// First, middle and last syllables of rarer surnames.
pub const SURNAME_STARTS: &str = "Al Am An Ar Ash Bal Bar Beck Ber Birk Black Bor Brad Bran Bren Brook Bur Cal Can Car \
Cart Chad Clay Cole Cor Crow Dal Dan Dar Den Don Dor Dun East Eck Ed El Em Fair Fal Far Fen Fin Ford Gar Gil Glen \
Gold Gor Grim Had Hal Han Har Hart Hay Hel Her Hol Horn Huff Kan Kar Kel Ken Kil Kirk Kor Lan Lar Len Lin Lock Lor \
Mac Mal Man Mar Mel Mil Mon Mor Nor Oak Ol Or Os Pal Par Pem Pen Pol Quin Ral Ran Red Rich Rob Rock Ros Row Rut Sal \
San Sed Sel Shel Sher Stan Sten Stock Strat Sut Tal Tan Thorn Til Tor Tre Ul Van Ver Wal War Wat Wes Whit Wil Win Zan Zim";
/// Middle syllables; some surnames have none.
pub const SURNAME_MIDDLES: &str =
    "a e i o u er en in el an ar on ing ber den ler ling man mer nel ner ster ten ton ven ver win";
/// Last syllables.
pub const SURNAME_ENDS: &str = "bach berg berry bourne brook burn bury by combe cote croft dale den der dorf er field ford \
gate ham hart haus heim holm horst hurst ing kamp kin kins land ler ley li lin lock low ly man mann mark mer mond more \
ner ney nick nov ova quist rath rich row ry sen shaw ski sky smith son stad stead stein ster stock stone strom ton \
town vale ville wald ward way well wick win witz wood worth wright yer zer";

/// Short forms of given names, each after the full one.
pub const NICKNAMES: [(&str, &str); 40] = [
    ("Robert", "Bob"),
    ("William", "Bill"),
    ("James", "Jim"),
    ("John", "Jack"),
    ("Richard", "Dick"),
    ("Elizabeth", "Liz"),
    ("Margaret", "Peggy"),
    ("Michael", "Mike"),
    ("Thomas", "Tom"),
    ("Joseph", "Joe"),
    ("Charles", "Chuck"),
    ("Christopher", "Chris"),
    ("Daniel", "Dan"),
    ("Matthew", "Matt"),
    ("Anthony", "Tony"),
    ("Steven", "Steve"),
    ("Andrew", "Andy"),
    ("Kenneth", "Ken"),
    ("Joshua", "Josh"),
    ("Edward", "Ted"),
    ("Ronald", "Ron"),
    ("Timothy", "Tim"),
    ("Jeffrey", "Jeff"),
    ("Nicholas", "Nick"),
    ("Jonathan", "Jon"),
    ("Stephen", "Steve"),
    ("Benjamin", "Ben"),
    ("Samuel", "Sam"),
    ("Gregory", "Greg"),
    ("Alexander", "Alex"),
    ("Patrick", "Pat"),
    ("Katherine", "Kate"),
    ("Rebecca", "Becky"),
    ("Deborah", "Debbie"),
    ("Jennifer", "Jen"),
    ("Susan", "Sue"),
    ("Patricia", "Pat"),
    ("Barbara", "Barb"),
    ("Jessica", "Jess"),
    ("Samantha", "Sam"),
];
